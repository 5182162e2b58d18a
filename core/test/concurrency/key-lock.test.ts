import { expect } from 'chai';
import { keyLock } from '../../src/concurrency/key-lock.ts';
import { codeOf, times } from '../world.ts';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('keyLock', () => {
  it('runs tasks of one key one after the other in the order of the calls, also if some fail', async () => {
    const lock = keyLock();
    const seen: number[] = [];
    let running = 0;
    const calls = times(20, (i) =>
      lock.run('k', async () => {
        expect(++running).to.equal(1);
        await turn();
        seen.push(i);
        running--;
        if (i % 3 === 0) throw new Error(`task ${i}`);
        return i;
      }),
    );
    const ends = await Promise.allSettled(calls);
    expect(seen).to.deep.equal(times(20, (i) => i));
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)))).to.deep.equal(
      times(20, (i) => (i % 3 === 0 ? `Error: task ${i}` : i)),
    );
  });

  it('does not make a task wait for tasks of another key', async () => {
    const lock = keyLock();
    void lock.run('slow', () => new Promise(() => {}));
    expect(await lock.run('quick', () => Promise.resolve('done'))).to.equal('done');
  });

  it('refuses a call when a thousand wait, and accepts calls again afterwards', async () => {
    const lock = keyLock();
    const calls = times(1001, () => lock.run('k', turn));
    expect(await codeOf(lock.run('k', turn))).to.equal('SERVICE_UNAVAILABLE');
    await lock.run('other', turn);
    await Promise.all(calls);
    expect(await lock.run('k', () => Promise.resolve('done'))).to.equal('done');
  });
});
