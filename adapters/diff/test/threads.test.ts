import { getEventListeners, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';
import { packChanges, unpackChanges } from '../src/packed-changes.ts';
import { Turns } from '../src/turns.ts';

const going = new AbortController().signal;
const enough = new Error('enough');
const LONG = 'one two '.repeat(10_000);
const [FROM, TO] = [`${LONG}three`, `${LONG}four`];

const hasEnded = (thread: Worker): boolean => thread.threadId === -1;

/** What came of a promise, as a word or an error. */
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('the threads that compare texts', function () {
  this.timeout(20_000);
  let threads: Worker[] = [];
  let seen: (thread: Worker) => void = () => {};
  const see = (thread: Worker): void => {
    threads.push(thread);
    seen(thread);
  };

  beforeEach(() => {
    threads = [];
    seen = () => {};
    process.on('worker', see);
  });
  afterEach(() => void process.off('worker', see));

  /** The next thread that begins. */
  const nextThread = (): Promise<Worker> => new Promise((resolve) => (seen = resolve));

  it('are one at a time, each ended before the next begins and before its answer is given', async () => {
    const diff = new JsdiffWordDiff();
    const runningAtBeginning: number[] = [];
    seen = () => runningAtBeginning.push(threads.filter((thread) => !hasEnded(thread)).length);
    const runningAtAnswer: number[] = [];
    const compare = async (i: number): Promise<void> => {
      await diff.compare(FROM, `${TO}${i}`, going);
      runningAtAnswer.push(threads.slice(0, i + 1).filter((thread) => !hasEnded(thread)).length);
    };
    await Promise.all([0, 1, 2, 3].map(compare));
    expect(runningAtBeginning).to.deep.equal([1, 1, 1, 1]);
    expect(runningAtAnswer).to.deep.equal([0, 0, 0, 0]);
  });

  it('are not needed for equal texts and for short ones with few changes', async () => {
    await new JsdiffWordDiff().compare(FROM, FROM, going);
    await new JsdiffWordDiff().compare('one two', 'one three', going);
    expect(threads).to.be.empty;
  });

  it('are noticed to end without a result, and the next comparison goes on', async () => {
    const diff = new JsdiffWordDiff();
    const first = nextThread();
    const outcomes = [outcomeOf(diff.compare(FROM, TO, going)), outcomeOf(diff.compare(TO, FROM, going))];
    await (await first).terminate();
    const [killed, next] = await Promise.all(outcomes);
    expect(killed).to.be.instanceOf(Error);
    expect(next).to.equal('done');
    expect(await outcomeOf(diff.compare(FROM, TO, going))).to.equal('done');
  });

  it('are noticed to fail, and the next comparison goes on', async () => {
    const diff = new JsdiffWordDiff();
    const first = nextThread();
    const outcomes = [outcomeOf(diff.compare(FROM, TO, going)), outcomeOf(diff.compare(TO, FROM, going))];
    (await first).emit('error', enough);
    expect(await Promise.all(outcomes)).to.deep.equal([enough, 'done']);
    expect(threads.every(hasEnded)).to.equal(true);
  });

  it('are stopped when the comparison is aborted, before its caller is told', async () => {
    const diff = new JsdiffWordDiff();
    const controller = new AbortController();
    const first = nextThread();
    const outcome = outcomeOf(diff.compare(FROM, TO, controller.signal));
    const thread = await first;
    const messages = once(thread, 'message').then(() => 'a result');
    await once(thread, 'online');
    controller.abort(enough);
    expect(await Promise.race([outcome, messages])).to.equal(enough);
    expect(hasEnded(thread)).to.equal(true);
    expect(await outcomeOf(diff.compare(FROM, TO, going))).to.equal('done');
  });

  it('are not begun for what was aborted while it waited', async () => {
    const diff = new JsdiffWordDiff();
    const controller = new AbortController();
    const first = outcomeOf(diff.compare(FROM, TO, going));
    const abandoned = [1, 2, 3].map(() => outcomeOf(diff.compare(TO, FROM, controller.signal)));
    const last = outcomeOf(diff.compare(FROM, TO, going));
    controller.abort(enough);
    expect(await Promise.all([first, ...abandoned, last])).to.deep.equal(['done', enough, enough, enough, 'done']);
    expect(threads).to.have.length(2);
  });

  it('leave nothing on a signal that goes on', async () => {
    const { signal } = new AbortController();
    const diff = new JsdiffWordDiff();
    await Promise.all([1, 2, 3].map(() => diff.compare(FROM, TO, signal)));
    expect(getEventListeners(signal, 'abort')).to.be.empty;
  });
});

describe('turns', () => {
  it('are not taken by what was aborted just when its turn came', async () => {
    const turns = new Turns();
    const controller = new AbortController();
    const gate = Promise.withResolvers<void>();
    const first = turns.take(() => gate.promise, going);
    let isRun = false;
    const second = outcomeOf(
      turns.take(async () => {
        isRun = true;
      }, controller.signal),
    );
    const third = outcomeOf(turns.take(async () => {}, going));
    // Whatever turn of the microtasks hands the turn on, the signal is aborted in one of them before the task is run.
    gate.resolve();
    await first;
    controller.abort(enough);
    expect([isRun, await second]).to.be.deep.oneOf([
      [true, 'done'],
      [false, enough],
    ]);
    expect(await third).to.equal('done');
    expect(await outcomeOf(turns.take(async () => {}, going))).to.equal('done');
  });

  it('are handed on, and never free in between', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const say = (word: string) => async (): Promise<void> => void log.push(word);
    const first = turns.take(say('first'), going);
    const second = turns.take(say('second'), going);
    const late = first.then(() => turns.take(say('late'), going));
    await Promise.all([first, second, late]);
    expect(log).to.deep.equal(['first', 'second', 'late']);
  });
});

describe('changes put together again', () => {
  const texts = { from: 'a '.repeat(60_000), to: 'b '.repeat(60_000) };
  const packed = packChanges(
    Array.from({ length: 60_000 }, () => [
      { op: 'delete', text: 'a' } as const,
      { op: 'insert', text: 'b' } as const,
      { op: 'equal', text: ' ' } as const,
    ]).flat(),
  );

  it('let other work go on in between', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await unpackChanges(packed, texts, going);
    isDone = true;
    expect(turns).to.be.at.least(30); // one for 5,000 changes or so
  });

  it('are given up when that is aborted', async () => {
    const controller = new AbortController();
    const outcome = outcomeOf(unpackChanges(packed, texts, controller.signal));
    setImmediate(() => controller.abort(enough));
    expect(await outcome).to.equal(enough);
  });
});
