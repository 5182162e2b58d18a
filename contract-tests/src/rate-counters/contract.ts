import { plusMs, type CountedWindow, type Instant } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { describeRateCountersFaults } from './faults.ts';
import { strangeKeys } from './strange-keys.ts';
import { describeDecrement, oneTo } from './decrement.ts';
import type { TimedRateCounters } from './timed-rate-counters.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ODD_WINDOWS_MS = [1, 2, 999, 1000, 1001, 4_035, 60_001, 3_600_007, 89_999_999, 90_000_000];

const countsOf = (windows: readonly (CountedWindow | undefined)[]): readonly (number | undefined)[] =>
  windows.map((window) => window?.count).sort((a, b) => (a ?? 0) - (b ?? 0));
/** Tests every promise of `RateCounters`. */
export const describeRateCounters = (name: string, open: Open<TimedRateCounters>, without: Without = {}): void =>
  void describe(`${name}, a RateCounters`, () => {
    const opened = openForEach(open);

    it('counts from 1 in a window that begins with the first hit and that later hits do not extend', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), MINUTE_MS);
      for (let count = 1; count <= 40; count++) {
        expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count, endsAt });
        await advance(count);
      }
    });

    it('keeps a window open until one millisecond before its end, and opens a new one at its end', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), 5_003);
      await counters.hit('key', 5_003);
      await advance(5_002);
      expect(await counters.peek('key')).to.deep.equal({ count: 1, endsAt });
      expect(await counters.hit('key', 5_003)).to.deep.equal({ count: 2, endsAt });
      await advance(1);
      expect(await counters.peek('key')).to.equal(undefined);
      expect(await counters.hit('key', 5_003)).to.deep.equal({ count: 1, endsAt: plusMs(now(), 5_003) });
      await advance(10 * MINUTE_MS);
      expect(await counters.peek('key')).to.equal(undefined);
      expect(await counters.hit('key', 5_003)).to.deep.equal({ count: 1, endsAt: plusMs(now(), 5_003) });
    });

    it('supports windows from 1 ms to 25 hours, exact to the millisecond', async () => {
      const { counters, advance, now } = opened().subject;
      for (const windowMs of ODD_WINDOWS_MS) {
        const key = `window ${windowMs}`;
        const endsAt = plusMs(now(), windowMs);
        expect(await counters.hit(key, windowMs), key).to.deep.equal({ count: 1, endsAt });
        await advance(windowMs - 1);
        expect(await counters.peek(key), key).to.deep.equal({ count: 1, endsAt });
        await advance(1);
        expect(await counters.peek(key), key).to.equal(undefined);
      }
    });

    it('ignores the window length of a hit if a window is open', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), MINUTE_MS);
      await counters.hit('key', MINUTE_MS);
      for (const [i, windowMs] of [1, HOUR_MS, 10].entries()) {
        await advance(20);
        expect(await counters.hit('key', windowMs)).to.deep.equal({ count: i + 2, endsAt });
      }
      await advance(MINUTE_MS - 60);
      expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), HOUR_MS) });
    });

    it('counts keys with unusual characters separately', async () => {
      const { counters, advance, now } = opened().subject;
      const keys = [...new Set(strangeKeys)];
      const ends = new Map<string, Instant>();
      for (const key of keys) {
        expect(await counters.peek(key), key.slice(0, 40)).to.equal(undefined);
        ends.set(key, plusMs(now(), HOUR_MS));
        await counters.hit(key, HOUR_MS);
        await advance(3);
      }
      for (const [i, key] of keys.entries()) for (let more = 0; more < i % 3; more++) await counters.hit(key, HOUR_MS);
      const all = async (): Promise<unknown> => Promise.all(keys.map((key) => counters.peek(key)));
      const expected: (CountedWindow | undefined)[] = keys.map((key, i) => ({
        count: 1 + (i % 3),
        endsAt: ends.get(key) ?? 0,
      }));
      expect(await all()).to.deep.equal(expected);
      for (const [i, key] of keys.entries()) {
        await (i % 2 === 0 ? counters.decrement(key) : counters.clear(key));
        const count = i % 2 === 0 ? i % 3 : 0;
        expected[i] = count === 0 ? undefined : { count, endsAt: ends.get(key) ?? 0 };
        expect(await all(), key.slice(0, 40)).to.deep.equal(expected);
      }
    });

    it('returns a different count to each of 200 concurrent hits, which open one window', async () => {
      const { counters, now } = opened().subject;
      const windows = await Promise.all(oneTo(200).map((i) => counters.hit('key', i % 2 === 0 ? MINUTE_MS : HOUR_MS)));
      expect(countsOf(windows)).to.deep.equal(oneTo(200));
      expect(new Set(windows.map(({ endsAt }) => endsAt))).to.have.property('size', 1);
      expect(windows[0]?.endsAt).to.be.oneOf([plusMs(now(), MINUTE_MS), plusMs(now(), HOUR_MS)]);
      expect(await counters.peek('key')).to.deep.equal({ count: 200, endsAt: windows[0]?.endsAt });
    });

    it('returns the open window from `peek` without counting', async () => {
      const { counters, now } = opened().subject;
      expect(await counters.peek('key')).to.equal(undefined);
      const window = await counters.hit('key', MINUTE_MS);
      for (let i = 0; i < 3; i++) expect(await counters.peek('key')).to.deep.equal(window);
      expect(await counters.peek('other')).to.equal(undefined);
      expect(await counters.hit('other', MINUTE_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), MINUTE_MS) });
      expect(await counters.hit('key', MINUTE_MS)).to.have.property('count', 2);
    });

    describeDecrement(opened);

    it('ends the window of the key on `clear`; clearing a key without a window succeeds', async () => {
      const { counters, advance, now } = opened().subject;
      await counters.clear('key');
      for (let i = 0; i < 3; i++) await counters.hit('key', MINUTE_MS);
      await counters.hit('key 2', MINUTE_MS);
      await advance(10);
      await counters.clear('key');
      await counters.clear('key');
      expect(await counters.peek('key')).to.equal(undefined);
      expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), MINUTE_MS) });
      expect(await counters.peek('key 2')).to.have.property('count', 1);
    });

    it('is not affected when the caller modifies a returned window', async () => {
      const { counters, now } = opened().subject;
      const window = { count: 1, endsAt: plusMs(now(), MINUTE_MS) };
      modifyDeeply(await counters.hit('key', MINUTE_MS));
      expect(await counters.peek('key')).to.deep.equal(window);
      modifyDeeply(await counters.peek('key'));
      expect(await counters.peek('key')).to.deep.equal(window);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('counts in the same windows on both handles', async () => {
        const { counters: here, advance, now } = opened().subject;
        const { counters: there } = await second();
        const endsAt = plusMs(now(), MINUTE_MS);
        for (const [i, counters] of [here, there, there, here, there].entries()) {
          expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count: i + 1, endsAt });
          for (const each of [here, there]) expect(await each.peek('key')).to.deep.equal({ count: i + 1, endsAt });
        }
        await there.decrement('key');
        expect(await here.hit('key', MINUTE_MS)).to.deep.equal({ count: 5, endsAt });
        await there.clear('key');
        expect(await here.peek('key')).to.equal(undefined);
        await advance(5);
        expect(await here.hit('key', MINUTE_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), MINUTE_MS) });
        expect(await there.hit('key', MINUTE_MS)).to.have.property('count', 2);
        await advance(MINUTE_MS);
        expect(await there.peek('key')).to.equal(undefined);
      });

      it('returns a different count to each of 200 concurrent hits on both handles', async () => {
        const { counters: here } = opened().subject;
        const { counters: there } = await second();
        const windows = await Promise.all(oneTo(200).map((i) => (i % 3 === 0 ? here : there).hit('key', MINUTE_MS)));
        expect(countsOf(windows)).to.deep.equal(oneTo(200));
      });

      it('never counts below zero when both handles take back concurrently', async () => {
        const { counters: here } = opened().subject;
        const { counters: there } = await second();
        await here.hit('key', MINUTE_MS);
        await Promise.all(oneTo(20).map((i) => (i % 2 === 0 ? here : there).decrement('key')));
        for (const [i, counters] of [there, here].entries())
          expect(await counters.hit('key', MINUTE_MS)).to.have.property('count', i + 1);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('keeps the open windows and their counts', async () => {
        const { counters, advance, now } = opened().subject;
        const endsAt = plusMs(now(), MINUTE_MS);
        await counters.hit('key', MINUTE_MS);
        await counters.hit('key', MINUTE_MS);
        await counters.hit('short', 10);
        await advance(10);
        const { counters: again } = await reopen();
        expect(await again.peek('short')).to.equal(undefined);
        expect(await again.peek('key')).to.deep.equal({ count: 2, endsAt });
        expect(await again.hit('key', MINUTE_MS)).to.deep.equal({ count: 3, endsAt });
      });
    });

    describeRateCountersFaults(opened, without);
  });
