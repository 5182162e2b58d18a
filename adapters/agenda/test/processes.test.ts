import { expect } from 'chai';
import { startChild } from '../../sqlite/test/child-process.ts';
import { inMs, someQueues, until, type Queues } from './queues.ts';

const ignoreNothing = (error: unknown) => {
  throw error;
};

describe('AgendaJobQueue in several processes', function () {
  this.timeout(60_000);
  let queues: Queues;

  beforeEach(async () => {
    queues = await someQueues();
  });
  afterEach(() => queues.remove());

  it('runs 200 jobs exactly once each on two of them', async () => {
    const queue = await queues.queue();
    const children = [0, 1].map(() => startChild(new URL('work.child.ts', import.meta.url), queues.file));
    await Promise.all(children.map((child) => child.printed(1)));
    const numbers = Array.from({ length: 200 }, (_, i) => String(i));
    for (const number of numbers) await queue.enqueue('count', { number });
    const ran = () => children.map((child) => child.lines.filter((line) => line !== 'ready'));
    await until(() => ran().flat().length >= 200, 30_000);
    await until(async () => (await queue.countWaiting('count')) === 0);
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    expect(ran().flat()).to.have.members(numbers);
    for (const lines of ran()) expect(lines).to.not.be.empty;
  });

  it('starts a job that another one added within a second', async () => {
    const queue = await queues.queue();
    const child = startChild(new URL('work.child.ts', import.meta.url), queues.file);
    await child.printed(1);
    const start = performance.now();
    await queue.enqueue('count', { number: 1 });
    await child.printed(2);
    expect(performance.now() - start).to.be.below(1_000);
    child.go();
    await child.ended();
  });

  it('runs the job of a killed one again when its lock has run out, not before', async () => {
    const queue = await queues.queue();
    await queue.enqueue('hang', { number: 7 });
    const child = startChild(new URL('work.child.ts', import.meta.url), queues.file);
    await until(() => child.lines.includes('hanging'));
    await child.kill();
    const killedAt = performance.now();
    const ran: unknown[] = [];
    const hang = {
      concurrency: 1,
      run: ({ payload }: { payload: unknown }) => {
        ran.push(payload);
        return Promise.resolve('done' as const);
      },
    };
    queues.stopLater(await queue.work({ hang }, ignoreNothing));
    await until(() => ran.length > 0);
    // The lock was renewed at most a heartbeat before the end.
    expect(performance.now() - killedAt).to.be.within(800, 3_000);
    expect(ran).to.deep.equal([{ number: 7 }]);
    await queue.enqueue('hang', { number: 8 }, inMs(0));
    await until(() => ran.length === 2);
    expect(await queue.countWaiting('hang')).to.equal(0);
  });
});
