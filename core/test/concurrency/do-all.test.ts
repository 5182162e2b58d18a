import { expect } from 'chai';
import { doAll } from '../../src/concurrency/do-all.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('doAll', () => {
  it('returns all results in order', async () => {
    expect(await doAll([1, 2, 3].map((n) => async () => n * n))).to.deep.equal([1, 4, 9]);
    expect(await doAll([])).to.deep.equal([]);
  });

  it('runs all tasks if some fail, and throws every error', async () => {
    const done: number[] = [];
    const task = (n: number) => async (): Promise<void> => {
      if (n % 2 === 0) throw new Error(`task ${n}`);
      done.push(n);
    };
    expect(String(await caught(doAll([1, 2, 3].map(task))))).to.equal('Error: task 2');
    const several = (await caught(doAll([1, 2, 3, 4, 5].map(task)))) as AggregateError;
    expect(several).to.be.instanceOf(AggregateError);
    expect(several.errors.map(String)).to.deep.equal(['Error: task 2', 'Error: task 4']);
    expect(done).to.deep.equal([1, 3, 1, 3, 5]);
  });
});
