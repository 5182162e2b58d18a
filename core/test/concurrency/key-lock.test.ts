import { expect } from 'chai';
import { keyLock } from '../../src/concurrency/key-lock.ts';
import { codeOf, times } from '../world.ts';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('tasks of one key', () => {
  it('run one after the other in the order of the calls, though some fail', async () => {
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

  it('do not wait for those of another key', async () => {
    const lock = keyLock();
    void lock.run('slow', () => new Promise(() => {}));
    expect(await lock.run('quick', () => Promise.resolve('done'))).to.equal('done');
  });

  it('are turned away over a thousand that wait, and taken again when there is room', async () => {
    const lock = keyLock();
    const calls = times(1001, () => lock.run('k', turn));
    expect(await codeOf(lock.run('k', turn))).to.equal('SERVICE_UNAVAILABLE');
    await lock.run('other', turn);
    await Promise.all(calls);
    expect(await lock.run('k', () => Promise.resolve('done'))).to.equal('done');
  });
});
