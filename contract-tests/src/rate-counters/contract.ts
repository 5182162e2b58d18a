import { plusMs, type CountedWindow, type Instant, type RateCounters } from '@palimpsest/core';
import { expect } from 'chai';
import { spoil } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { strangeTexts } from '../kit/samples.ts';
import { describeRateCountersFaults } from './faults.ts';

/** Rate counters with the clock that their windows end by. It stands, at a whole millisecond, until it is moved. */
export interface TimedRateCounters {
  readonly counters: RateCounters;
  /** Moves the clock on by milliseconds. */
  readonly advance: (ms: number) => void | Promise<void>;
  readonly now: () => Instant;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ODD_WINDOWS_MS = [
  1,
  2,
  3,
  999,
  1000,
  1001,
  1009,
  4_035,
  59_999,
  MINUTE_MS + 1,
  HOUR_MS,
  HOUR_MS + 7,
  24 * HOUR_MS,
  25 * HOUR_MS - 1,
  25 * HOUR_MS,
];

/** Keys of which some stores take two for one. */
const strangeKeys: readonly string[] = [
  ...strangeTexts,
  '\0',
  'a',
  'A',
  'a\0',
  'a\0b',
  ' a',
  'a ',
  'login 10.0.0.1',
  'login 10.0.0.10',
  'login:10.0.0.1',
  'login',
  '%',
  '_',
  '*',
  ':',
  'ä',
  'a\u0308',
  '🦉',
  '\ud83e',
  '\udd89',
  '\ufffd',
  '\ud800',
  'x'.repeat(10_000),
  `${'x'.repeat(9_999)}y`,
];

const countsOf = (windows: readonly (CountedWindow | undefined)[]): readonly (number | undefined)[] =>
  windows.map((window) => window?.count).sort((a, b) => (a ?? 0) - (b ?? 0));
const oneTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);

/** What every `RateCounters` promises. */
export const describeRateCounters = (name: string, open: Open<TimedRateCounters>, without: Without = {}): void =>
  void describe(`${name} as RateCounters`, () => {
    const opened = openForEach(open);

    it('counts up by one from 1, in a window that begins with the first hit and that later hits do not move', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), MINUTE_MS);
      for (let count = 1; count <= 150; count++) {
        expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count, endsAt });
        await advance(count);
      }
    });

    it('keeps a window open until the last millisecond before its end, and opens a new one at its end', async () => {
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

    it('has windows of any length from a millisecond to 25 hours, to the millisecond', async () => {
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

    it('leaves an open window as it is when a later hit asks for another length', async () => {
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

    it('counts every key for itself, whatever the text', async () => {
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
        await (i % 2 === 0 ? counters.takeBack(key) : counters.clear(key));
        const count = i % 2 === 0 ? i % 3 : 0;
        expected[i] = count === 0 ? undefined : { count, endsAt: ends.get(key) ?? 0 };
        expect(await all(), key.slice(0, 40)).to.deep.equal(expected);
      }
    });

    it('gives each of many concurrent hits a count of its own, and lets one alone open the window', async () => {
      const { counters, now } = opened().subject;
      const windows = await Promise.all(oneTo(200).map((i) => counters.hit('key', i % 2 === 0 ? MINUTE_MS : HOUR_MS)));
      expect(countsOf(windows)).to.deep.equal(oneTo(200));
      expect(new Set(windows.map(({ endsAt }) => endsAt))).to.have.property('size', 1);
      expect(windows[0]?.endsAt).to.be.oneOf([plusMs(now(), MINUTE_MS), plusMs(now(), HOUR_MS)]);
      expect(await counters.peek('key')).to.deep.equal({ count: 200, endsAt: windows[0]?.endsAt });
    });

    it('loses none of concurrent hits of many keys', async () => {
      const { counters } = opened().subject;
      const hits = oneTo(300).map(async (i) => ({ key: i % 7, window: await counters.hit(`key ${i % 7}`, MINUTE_MS) }));
      const given = Map.groupBy(await Promise.all(hits), ({ key }) => key);
      for (const each of given.values())
        expect(countsOf(each.map(({ window }) => window))).to.deep.equal(oneTo(each.length));
    });

    it('tells of a window without counting', async () => {
      const { counters, now } = opened().subject;
      expect(await counters.peek('key')).to.equal(undefined);
      const window = await counters.hit('key', MINUTE_MS);
      for (let i = 0; i < 3; i++) expect(await counters.peek('key')).to.deep.equal(window);
      expect(await counters.peek('other')).to.equal(undefined);
      expect(await counters.hit('other', MINUTE_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), MINUTE_MS) });
      expect(await counters.hit('key', MINUTE_MS)).to.have.property('count', 2);
    });

    it('takes hits back one by one and leaves the window where it is', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), MINUTE_MS);
      for (let i = 0; i < 4; i++) await counters.hit('key', MINUTE_MS);
      await advance(10);
      await counters.takeBack('key');
      expect(await counters.peek('key')).to.deep.equal({ count: 3, endsAt });
      await counters.takeBack('key');
      expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count: 3, endsAt });
    });

    it('has no window any more when the last hit was taken back, so that the next opens one', async () => {
      const { counters, advance, now } = opened().subject;
      await counters.hit('key', MINUTE_MS);
      await counters.hit('key', MINUTE_MS);
      await counters.takeBack('key');
      await counters.takeBack('key');
      expect(await counters.peek('key')).to.equal(undefined);
      await advance(10);
      expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), HOUR_MS) });
    });

    for (const times of [1, 2, 3]) {
      it(`gives no credit when ${times} more are taken back than were hit, or without a window`, async () => {
        const { counters, advance, now } = opened().subject;
        const takeBackAll = async (left: number): Promise<void> => {
          for (let i = 0; i < left + times; i++) await counters.takeBack('key');
          expect(await counters.peek('key')).to.equal(undefined);
        };
        const hitTwice = async (): Promise<void> => {
          const endsAt = plusMs(now(), MINUTE_MS);
          for (const count of [1, 2]) expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count, endsAt });
        };
        await takeBackAll(0);
        await hitTwice();
        await takeBackAll(2);
        await hitTwice();
        await advance(MINUTE_MS);
        await takeBackAll(0);
        await hitTwice();
        await counters.clear('key');
        await takeBackAll(0);
        await hitTwice();
      });
    }

    it('gives no credit when more is taken back than was hit, all at once', async () => {
      const { counters } = opened().subject;
      await counters.hit('key', MINUTE_MS);
      await Promise.all(oneTo(20).map(() => counters.takeBack('key')));
      expect(await counters.peek('key')).to.equal(undefined);
      expect(await counters.hit('key', MINUTE_MS)).to.have.property('count', 1);
    });

    it('takes back exactly what is taken back beside other hits', async () => {
      const { counters } = opened().subject;
      for (let i = 0; i < 50; i++) await counters.hit('key', MINUTE_MS);
      await Promise.all(
        oneTo(100).map((i) => (i % 2 === 0 ? counters.takeBack('key') : counters.hit('key', MINUTE_MS))),
      );
      expect(await counters.peek('key')).to.have.property('count', 50);
    });

    it('ends a window, and none as well', async () => {
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

    it('keeps what it counts when objects outside change', async () => {
      const { counters, now } = opened().subject;
      const window = { count: 1, endsAt: plusMs(now(), MINUTE_MS) };
      spoil(await counters.hit('key', MINUTE_MS));
      expect(await counters.peek('key')).to.deep.equal(window);
      spoil(await counters.peek('key'));
      expect(await counters.peek('key')).to.deep.equal(window);
    });

    it('still counts in an open window when thousands of others have been opened and ended', async () => {
      const { counters, advance, now } = opened().subject;
      const endsAt = plusMs(now(), HOUR_MS);
      await counters.hit('key', HOUR_MS);
      for (let i = 0; i < 3_000; i++) await counters.hit(`other ${i}`, 1_000);
      await advance(1_000);
      for (let i = 0; i < 3_000; i++) expect(await counters.hit(`other ${i}`, 1_000)).to.have.property('count', 1);
      expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 2, endsAt });
    });

    describeWith('openSecond', opened, without, (second) => {
      it('counts here and there in the same windows', async () => {
        const { counters: here, advance, now } = opened().subject;
        const { counters: there } = await second();
        const endsAt = plusMs(now(), MINUTE_MS);
        for (const [i, counters] of [here, there, there, here, there].entries()) {
          expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count: i + 1, endsAt });
          for (const each of [here, there]) expect(await each.peek('key')).to.deep.equal({ count: i + 1, endsAt });
        }
        await there.takeBack('key');
        expect(await here.hit('key', MINUTE_MS)).to.deep.equal({ count: 5, endsAt });
        await there.clear('key');
        expect(await here.peek('key')).to.equal(undefined);
        await advance(5);
        expect(await here.hit('key', MINUTE_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), MINUTE_MS) });
        expect(await there.hit('key', MINUTE_MS)).to.have.property('count', 2);
        await advance(MINUTE_MS);
        expect(await there.peek('key')).to.equal(undefined);
      });

      it('gives each of many concurrent hits on both a count of its own', async () => {
        const { counters: here } = opened().subject;
        const { counters: there } = await second();
        const windows = await Promise.all(oneTo(200).map((i) => (i % 3 === 0 ? here : there).hit('key', MINUTE_MS)));
        expect(countsOf(windows)).to.deep.equal(oneTo(200));
      });

      it('gives no credit when both take back at once', async () => {
        const { counters: here } = opened().subject;
        const { counters: there } = await second();
        await here.hit('key', MINUTE_MS);
        await Promise.all(oneTo(20).map((i) => (i % 2 === 0 ? here : there).takeBack('key')));
        for (const [i, counters] of [there, here].entries())
          expect(await counters.hit('key', MINUTE_MS)).to.have.property('count', i + 1);
      });
    });

    describeWith('reopen', opened, without, (anew) => {
      it('goes on counting in the windows that are open', async () => {
        const { counters, advance, now } = opened().subject;
        const endsAt = plusMs(now(), MINUTE_MS);
        await counters.hit('key', MINUTE_MS);
        await counters.hit('key', MINUTE_MS);
        await counters.hit('short', 10);
        await advance(10);
        const { counters: again } = await anew();
        expect(await again.peek('short')).to.equal(undefined);
        expect(await again.peek('key')).to.deep.equal({ count: 2, endsAt });
        expect(await again.hit('key', MINUTE_MS)).to.deep.equal({ count: 3, endsAt });
      });
    });

    describeRateCountersFaults(opened, without);
  });
