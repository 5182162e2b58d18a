import { AgendaJobQueue } from '@palimpsest/agenda';
import { MongoJobStore } from '@palimpsest/mongodb';
import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { eventually } from '../../../test/expectations.ts';

await describeOnMongo('AgendaJobQueue on MongoDB with a connection that breaks', (server) => {
  const database = databaseForSuite(server);

  it('runs each of 150 jobs while connections are cut and answers are lost repeatedly', async function () {
    this.timeout(240_000);
    const adding = new AgendaJobQueue(new MongoJobStore(await database().connect()));
    const store = (await database().open()).jobStore;
    const queue = new AgendaJobQueue(store, { pollMs: 50, heartbeatMs: 100, lockLifetimeMs: 10_000 });
    const numbers = Array.from({ length: 150 }, (_, n) => n);
    for (const n of numbers) await adding.enqueue('job', { n });
    const ran = new Set<unknown>();
    const errors: unknown[] = [];
    const run = async ({ payload }: { payload: { readonly [key: string]: unknown } }) => {
      // Some jobs run longer than a heartbeat interval.
      await new Promise((resolve) => {
        setTimeout(resolve, Number(payload['n']) % 10 === 0 ? 250 : 5);
      });
      ran.add(payload['n']);
      return 'done' as const;
    };
    const worker = await queue.work({ job: { concurrency: 5, run } }, (error) => errors.push(error));
    let cuts = 0;
    const cutting = setInterval(() => {
      if (++cuts % 3 === 0) database().proxy.dropConnections();
      else database().proxy.dropAfterAnswer(cuts % 3);
    }, 50);
    try {
      await eventually(() => ran.size === 150, 200_000);
    } finally {
      clearInterval(cutting);
      database().proxy.restore();
    }
    await worker.stop(10_000);
    expect(cuts).to.be.above(5);
    for (const error of errors) {
      if (error instanceof Error && error.message.includes('was lost')) continue;
      expect(error).to.have.property('code', 'SERVICE_UNAVAILABLE');
    }
  });
});
