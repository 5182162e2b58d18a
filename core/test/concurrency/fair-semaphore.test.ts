import { expect } from 'chai';
import { FairSemaphore, type FairSemaphoreLimits } from '@palimpsest/core';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** Starts tasks that run until the test ends them, and records the order in which they start. */
const testBench = (limits: FairSemaphoreLimits) => {
  const semaphore = new FairSemaphore(limits, (waiting) => new Error(`full: ${waiting} waiting`));
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, owner: string, signal?: AbortSignal): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const run = semaphore.run(
      owner,
      async () => {
        started.push(name);
        await promise;
        return name;
      },
      signal,
    );
    run.catch(() => undefined);
    return run;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { semaphore, started, start, end };
};

const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('FairSemaphore', () => {
  it('returns the result of the task', async () => {
    expect(await testBench({ slots: 1 }).semaphore.run('a', async () => 42)).to.equal(42);
  });

  it('throws the error of the task and frees its slot', async () => {
    const { semaphore } = testBench({ slots: 1 });
    const error = new Error('task');
    expect(await errorOf(semaphore.run('a', () => Promise.reject(error)))).to.equal(error);
    expect(await semaphore.run('a', async () => 'next')).to.equal('next');
  });

  it('runs at most `slots` tasks at once and starts the next one when a task ends', async () => {
    const { start, end, started } = testBench({ slots: 2 });
    for (const name of ['1', '2', '3', '4']) void start(name, 'a');
    await settle();
    expect(started).to.deep.equal(['1', '2']);
    await end('2');
    expect(started).to.deep.equal(['1', '2', '3']);
  });

  it('runs at most `slotsPerOwner` tasks of one owner and does not delay other owners', async () => {
    const { start, end, started } = testBench({ slots: 3, slotsPerOwner: 1 });
    void start('a1', 'a');
    void start('a2', 'a');
    void start('b1', 'b');
    await settle();
    expect(started).to.deep.equal(['a1', 'b1']);
    await end('a1');
    expect(started).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('gives the next slot to the owner with the fewest running tasks', async () => {
    const { start, end, started } = testBench({ slots: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name, 'a');
    void start('b1', 'b');
    await end('a1');
    expect(started.at(-1)).to.equal('b1');
  });

  it('serves owners with equally many running tasks in turn, and the calls of one owner in order', async () => {
    const { start, end, started } = testBench({ slots: 1 });
    for (const name of ['a1', 'a2', 'a3']) void start(name, 'a');
    for (const name of ['b1', 'b2']) void start(name, 'b');
    void start('c1', 'c');
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('does not let a new call overtake a waiting caller', async () => {
    const { start, end, started } = testBench({ slots: 1 });
    void start('a1', 'a');
    void start('a2', 'a');
    await settle();
    const ending = end('a1');
    void start('a3', 'a');
    await ending;
    await end('a2');
    expect(started).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('rejects a call at once when `maxWaitingPerOwner` calls of its owner wait', async () => {
    const { start } = testBench({ slots: 1, maxWaitingPerOwner: 1 });
    void start('a1', 'a');
    void start('a2', 'a');
    expect(String(await errorOf(start('a3', 'a')))).to.equal('Error: full: 1 waiting');
    const other = start('b1', 'b');
    await settle();
    expect(await Promise.race([errorOf(other), Promise.resolve('waits')])).to.equal('waits');
  });

  it('rejects a call at once when `maxWaiting` calls wait', async () => {
    const { start } = testBench({ slots: 1, maxWaiting: 1 });
    void start('a1', 'a');
    void start('b1', 'b');
    expect(String(await errorOf(start('c1', 'c')))).to.equal('Error: full: 1 waiting');
  });

  it('removes a waiting call whose signal aborts, throws the reason and never runs its task', async () => {
    const { start, end, started } = testBench({ slots: 1, maxWaiting: 1 });
    const controller = new AbortController();
    void start('a1', 'a');
    const aborted = start('a2', 'a', controller.signal);
    controller.abort(new Error('gone'));
    expect(String(await errorOf(aborted))).to.equal('Error: gone');
    void start('a3', 'a'); // can wait only if the aborted call does not wait any more
    await end('a1');
    expect(started).to.deep.equal(['a1', 'a3']);
  });

  it('frees the slot if the signal aborts after the slot was granted and before the task starts', async () => {
    const { start, end, started, semaphore } = testBench({ slots: 1 });
    const controller = new AbortController();
    void start('a1', 'a');
    const aborted = start('a2', 'a', controller.signal);
    await settle();
    const ending = end('a1');
    void ending.then(() => undefined);
    controller.abort(new Error('gone'));
    await ending;
    await errorOf(aborted);
    expect(await semaphore.run('b', async () => 'free')).to.equal('free');
    expect(started).to.deep.equal(['a1']);
  });

  it('throws the reason of a signal that has already aborted', async () => {
    const { start, started } = testBench({ slots: 1 });
    expect(String(await errorOf(start('a1', 'a', AbortSignal.abort(new Error('gone')))))).to.equal('Error: gone');
    expect(started).to.deep.equal([]);
  });

  it('leaves no listener on the signal', async () => {
    const { start, end } = testBench({ slots: 1 });
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    void start('a1', 'a');
    void start('a2', 'a', counted as unknown as AbortSignal);
    await settle();
    expect(listeners).to.equal(1);
    await end('a1');
    await end('a2');
    expect(listeners).to.equal(0);
  });

  it('rejects waiting and later calls after close, and lets running tasks end', async () => {
    const { start, end, semaphore } = testBench({ slots: 1 });
    const running = start('a1', 'a');
    const waiting = start('a2', 'a');
    await settle();
    semaphore.close(new Error('closed'));
    expect(String(await errorOf(waiting))).to.equal('Error: closed');
    expect(String(await errorOf(start('a3', 'a')))).to.equal('Error: closed');
    await end('a1');
    expect(await running).to.equal('a1');
  });

  it('ignores a second release', async () => {
    const { semaphore } = testBench({ slots: 1 });
    const release = await semaphore.acquire('a');
    release();
    const second = await semaphore.acquire('a');
    release();
    const third = semaphore.acquire('a');
    expect(await Promise.race([third.then(() => 'granted'), settle().then(() => 'waits')])).to.equal('waits');
    second();
    (await third)();
  });
});
