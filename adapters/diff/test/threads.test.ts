import { getEventListeners, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';
import { packChanges, unpackChanges } from '../src/packed-changes.ts';

const notAborted = new AbortController().signal;
const reason = new Error('reason');
const LONG = 'one two '.repeat(10_000);
const [FROM, TO] = [`${LONG}three`, `${LONG}four`];

const hasEnded = (thread: Worker): boolean => thread.threadId === -1;

/** 'done', or the error of the promise. */
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('JsdiffWordDiff with worker threads', function () {
  let threads: Worker[] = [];
  let onThread: (thread: Worker) => void = () => {};
  const record = (thread: Worker): void => {
    threads.push(thread);
    onThread(thread);
  };

  beforeEach(() => {
    threads = [];
    onThread = () => {};
    process.on('worker', record);
  });
  afterEach(() => void process.off('worker', record));

  /** The next thread that starts. */
  const nextThread = (): Promise<Worker> => new Promise((resolve) => (onThread = resolve));

  it('runs one thread at a time, and ends it before the next one starts and before it returns the result', async () => {
    const diff = new JsdiffWordDiff();
    const runningAtStart: number[] = [];
    onThread = () => runningAtStart.push(threads.filter((thread) => !hasEnded(thread)).length);
    const runningAtAnswer: number[] = [];
    const compare = async (i: number): Promise<void> => {
      await diff.compare(FROM, `${TO}${i}`, notAborted);
      runningAtAnswer.push(threads.slice(0, i + 1).filter((thread) => !hasEnded(thread)).length);
    };
    await Promise.all([0, 1, 2, 3].map(compare));
    expect(runningAtStart).to.deep.equal([1, 1, 1, 1]);
    expect(runningAtAnswer).to.deep.equal([0, 0, 0, 0]);
  });

  it('starts no thread for equal texts or for short texts with few changes', async () => {
    await new JsdiffWordDiff().compare(FROM, FROM, notAborted);
    await new JsdiffWordDiff().compare('one two', 'one three', notAborted);
    expect(threads).to.be.empty;
  });

  it('throws when a thread is terminated, and continues with the next comparison', async () => {
    const diff = new JsdiffWordDiff();
    const first = nextThread();
    const outcomes = [outcomeOf(diff.compare(FROM, TO, notAborted)), outcomeOf(diff.compare(TO, FROM, notAborted))];
    await (await first).terminate();
    const [killed, next] = await Promise.all(outcomes);
    expect(killed).to.be.instanceOf(Error);
    expect(next).to.equal('done');
    expect(await outcomeOf(diff.compare(FROM, TO, notAborted))).to.equal('done');
  });

  it('throws the error of a thread, and continues with the next comparison', async () => {
    const diff = new JsdiffWordDiff();
    const first = nextThread();
    const outcomes = [outcomeOf(diff.compare(FROM, TO, notAborted)), outcomeOf(diff.compare(TO, FROM, notAborted))];
    (await first).emit('error', reason);
    expect(await Promise.all(outcomes)).to.deep.equal([reason, 'done']);
    expect(threads.every(hasEnded)).to.equal(true);
  });

  it('terminates the thread of an aborted comparison before it throws the reason', async () => {
    const diff = new JsdiffWordDiff();
    const controller = new AbortController();
    const first = nextThread();
    const outcome = outcomeOf(diff.compare(FROM, TO, controller.signal));
    const thread = await first;
    await once(thread, 'online');
    controller.abort(reason);
    expect(await outcome).to.equal(reason);
    expect(hasEnded(thread)).to.equal(true);
    expect(await outcomeOf(diff.compare(FROM, TO, notAborted))).to.equal('done');
  });

  it('starts no thread for comparisons that are aborted while they wait', async () => {
    const diff = new JsdiffWordDiff();
    const controller = new AbortController();
    const first = outcomeOf(diff.compare(FROM, TO, notAborted));
    const abandoned = [1, 2, 3].map(() => outcomeOf(diff.compare(TO, FROM, controller.signal)));
    const last = outcomeOf(diff.compare(FROM, TO, notAborted));
    controller.abort(reason);
    expect(await Promise.all([first, ...abandoned, last])).to.deep.equal(['done', reason, reason, reason, 'done']);
    expect(threads).to.have.length(2);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const diff = new JsdiffWordDiff();
    await Promise.all([1, 2, 3].map(() => diff.compare(FROM, TO, signal)));
    expect(getEventListeners(signal, 'abort')).to.be.empty;
  });
});

describe('unpackChanges', () => {
  const texts = { from: 'a '.repeat(60_000), to: 'b '.repeat(60_000) };
  const packed = packChanges(
    Array.from({ length: 60_000 }, () => [
      { op: 'delete', text: 'a' } as const,
      { op: 'insert', text: 'b' } as const,
      { op: 'equal', text: ' ' } as const,
    ]).flat(),
  );

  it('yields to the event loop after each 5,000 changes', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await unpackChanges(packed, texts, notAborted);
    isDone = true;
    expect(turns).to.be.at.least(30);
  });

  it('throws the reason when the signal aborts between two batches', async () => {
    const controller = new AbortController();
    const outcome = outcomeOf(unpackChanges(packed, texts, controller.signal));
    setImmediate(() => controller.abort(reason));
    expect(await outcome).to.equal(reason);
  });
});
