import { AgendaJobQueue } from '@palimpsest/agenda';
import { MongoAgendaBackend } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { SHORT, until } from './queues.ts';

// A lock that a lost answer leaves behind is to be found again by its holder, and not to run out.
const LONG_LOCKS = { ...SHORT, lockLifetimeMs: 600_000, heartbeatMs: 100 };

await describeOnMongo('AgendaJobQueue on MongoDB, whose connection breaks', (server) => {
  const database = databaseForSuite(server);

  it('runs each of 150 jobs once, although connections are cut and answers are lost all the time', async function () {
    this.timeout(120_000);
    const direct = new MongoAgendaBackend(await database().connect());
    const adding = new AgendaJobQueue(direct);
    const queue = new AgendaJobQueue((await database().open()).agendaBackend(), LONG_LOCKS);
    const numbers = Array.from({ length: 150 }, (_, n) => n);
    for (const n of numbers) await adding.enqueue('job', { n });
    const ran: unknown[] = [];
    const errors: unknown[] = [];
    const run = async ({ payload }: { payload: { readonly [key: string]: unknown } }) => {
      ran.push(payload['n']);
      // Longer than a heartbeat, for some.
      await new Promise((resolve) => {
        setTimeout(resolve, Number(payload['n']) % 10 === 0 ? 250 : 5);
      });
      return 'done' as const;
    };
    const worker = await queue.work({ job: { concurrency: 5, run } }, (error) => errors.push(error));
    let cuts = 0;
    const cutting = setInterval(() => {
      if (++cuts % 3 === 0) database().proxy.dropConnections();
      else database().proxy.dropAfterAnswer(cuts % 3);
    }, 50);
    try {
      await until(() => ran.length >= 150, 90_000);
    } finally {
      clearInterval(cutting);
      database().proxy.restore();
    }
    await worker.stop(10_000);
    expect(await direct.repository.getJobsOverview()).to.deep.equal([]);
    expect(cuts).to.be.above(5);
    expect([...ran].sort((a, b) => Number(a) - Number(b))).to.deep.equal(numbers);
    for (const error of errors) expect(error).to.have.property('code', 'SERVICE_UNAVAILABLE');
  });
});
