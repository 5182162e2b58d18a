import { expect } from 'chai';
import { oneAtATime } from '../../src/use-cases/one-at-a-time.ts';
import { codeOf, times } from './world.ts';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('tasks of one key', () => {
  it('run one after the other in the order of the calls, though some fail', async () => {
    const inTurn = oneAtATime();
    const seen: number[] = [];
    let running = 0;
    const calls = times(20, (i) =>
      inTurn('k', async () => {
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
    const inTurn = oneAtATime();
    void inTurn('slow', () => new Promise(() => {}));
    expect(await inTurn('quick', () => Promise.resolve('done'))).to.equal('done');
  });

  it('are turned away over a thousand that wait, and taken again when there is room', async () => {
    const inTurn = oneAtATime();
    const calls = times(1000, () => inTurn('k', turn));
    expect(await codeOf(inTurn('k', turn))).to.equal('SERVICE_UNAVAILABLE');
    await inTurn('other', turn);
    await Promise.all(calls);
    expect(await inTurn('k', () => Promise.resolve('done'))).to.equal('done');
  });
});
