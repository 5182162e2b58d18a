import { mock } from 'node:test';
import type { CountedWindow, RateCounters } from '@palimpsest/core';
import { expect } from 'chai';
import { FallbackRateCounters, type FallbackOptions } from '../src/fallback-rate-counters.ts';
import { wallClock } from './wall-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const storeError = new Error('connection reset');

const countsOf = (windows: readonly CountedWindow[]): readonly number[] => windows.map(({ count }) => count);
const oneTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);
const hits = (counters: RateCounters, times: number): Promise<CountedWindow[]> =>
  Promise.all(oneTo(times).map(() => counters.hit('key', HOUR_MS)));

/** A store whose answer the test chooses. It counts the calls. */
const scriptedStore = () => {
  const script = { calls: 0, answer: (): Promise<never> => Promise.reject(storeError) };
  const call = (): Promise<never> => {
    script.calls++;
    return script.answer();
  };
  const store: RateCounters = { hit: call, peek: call, decrement: call, clear: call };
  return { script, store };
};

describe('FallbackRateCounters', () => {
  let nowMs = 0;
  const { script, store } = scriptedStore();
  const reported: unknown[] = [];
  const open = (options: FallbackOptions = {}): FallbackRateCounters =>
    new FallbackRateCounters(store, wallClock, {
      nowMs: () => nowMs,
      onFault: (error) => reported.push(error),
      ...options,
    });

  beforeEach(() => {
    nowMs = 0;
    script.calls = 0;
    script.answer = () => Promise.reject(storeError);
    reported.length = 0;
  });

  it('counts in memory and throws nothing while the store fails', async () => {
    const counters = open();
    expect(await counters.peek('key')).to.equal(undefined);
    expect(countsOf(await hits(counters, 100))).to.deep.equal(oneTo(100));
    await counters.decrement('key');
    expect(await counters.peek('key')).to.have.property('count', 99);
    await counters.clear('key');
    expect(await counters.peek('key')).to.equal(undefined);
  });

  it('returns the results of the store while the store works', async () => {
    const window = { count: 7, endsAt: 1 };
    const working: RateCounters = {
      hit: async () => window,
      peek: async () => window,
      decrement: async () => {},
      clear: async () => {},
    };
    const counters = new FallbackRateCounters(working, wallClock, { onFault: (error) => reported.push(error) });
    expect(await counters.hit('key', HOUR_MS)).to.equal(window);
    expect(await counters.peek('key')).to.equal(window);
    await counters.decrement('key');
    await counters.clear('key');
    expect(reported).to.deep.equal([]);
  });

  it('does not call the store for 5 s after a failure, and then calls it again', async () => {
    const counters = open();
    expect(countsOf(await hits(counters, 1))).to.deep.equal([1]);
    nowMs = 4_999;
    await counters.hit('key', HOUR_MS);
    await counters.peek('other');
    await counters.decrement('other');
    await counters.clear('other');
    expect(script.calls).to.equal(1);
    nowMs = 5_000;
    await counters.hit('key', HOUR_MS);
    expect(script.calls).to.equal(2);
  });

  it('counts in memory after 3 s without an answer of the store', async () => {
    const timeouts: { readonly ms: number; readonly controller: AbortController }[] = [];
    const timeout = mock.method(AbortSignal, 'timeout', (ms: number) => {
      const controller = new AbortController();
      timeouts.push({ ms, controller });
      return controller.signal;
    });
    try {
      script.answer = () => new Promise(() => {});
      const counters = open();
      let isAnswered = false;
      const pending = hits(counters, 50).then((windows) => {
        isAnswered = true;
        return windows;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(isAnswered).to.equal(false);
      expect(timeouts.map(({ ms }) => ms)).to.deep.equal(Array(50).fill(3_000));
      const late = new Error('no answer in time');
      for (const { controller } of timeouts) controller.abort(late);
      expect(countsOf(await pending)).to.deep.equal(oneTo(50));
      expect(reported).to.deep.equal([late]);
      expect(countsOf(await hits(counters, 1)), 'the next call does not wait').to.deep.equal([51]);
    } finally {
      timeout.mock.restore();
    }
  });

  it('lets one call try the store again while the others count in memory', async () => {
    const counters = open();
    await counters.hit('key', HOUR_MS);
    nowMs = 5_000;
    const { promise, reject } = Promise.withResolvers<never>();
    script.answer = () => promise;
    const trying = counters.hit('key', HOUR_MS);
    expect(countsOf(await hits(counters, 50))).to.deep.equal(oneTo(51).slice(1));
    expect(script.calls).to.equal(2);
    reject(storeError);
    expect(await trying).to.have.property('count', 52);
  });

  it('reports the error of the store at most once a minute for all methods together', async () => {
    const counters = open({ openMs: 0 });
    const calls = [
      () => counters.peek('key'),
      () => counters.hit('key', 1),
      () => counters.decrement('key'),
      () => counters.clear('key'),
    ];
    for (const call of calls) await call();
    nowMs = MINUTE_MS - 1;
    await counters.peek('key');
    expect(reported).to.deep.equal([storeError]);
    for (const call of calls) {
      nowMs += MINUTE_MS;
      await call();
    }
    expect(reported).to.deep.equal(Array.from({ length: 5 }, () => storeError));
  });

  it('counts in memory and does not call the store after it was closed', async () => {
    const counters = open({ openMs: 0 });
    await counters.hit('key', HOUR_MS);
    counters.close();
    counters.close();
    expect(await counters.hit('key', HOUR_MS)).to.have.property('count', 2);
    expect(script.calls).to.equal(1);
  });

  it('throws TypeError for a window of less than 1 ms or more than 25 hours, and does not call the store', async () => {
    const counters = open();
    for (const windowMs of [0, -1, 0.5, Number.NaN, Infinity, 25 * HOUR_MS + 1]) {
      const error = await counters.hit('key', windowMs).catch((thrown: unknown) => thrown);
      expect(error, String(windowMs)).to.be.instanceOf(TypeError);
    }
    expect(script.calls).to.equal(0);
  });
});
