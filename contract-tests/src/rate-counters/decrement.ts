import { plusMs } from '@palimpsest/core';
import { expect } from 'chai';
import type { TimedRateCounters } from './timed-rate-counters.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The numbers from 1 to `most`. */
export const oneTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);

/** Tests `decrement`. */
export const describeDecrement = (opened: () => { readonly subject: TimedRateCounters }): void => {
  it('removes one hit per `decrement` and does not move the window', async () => {
    const { counters, advance, now } = opened().subject;
    const endsAt = plusMs(now(), MINUTE_MS);
    for (let i = 0; i < 4; i++) await counters.hit('key', MINUTE_MS);
    await advance(10);
    await counters.decrement('key');
    expect(await counters.peek('key')).to.deep.equal({ count: 3, endsAt });
    await counters.decrement('key');
    expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count: 3, endsAt });
  });

  it('closes the window when the last hit is removed', async () => {
    const { counters, advance, now } = opened().subject;
    await counters.hit('key', MINUTE_MS);
    await counters.hit('key', MINUTE_MS);
    await counters.decrement('key');
    await counters.decrement('key');
    expect(await counters.peek('key')).to.equal(undefined);
    await advance(10);
    expect(await counters.hit('key', HOUR_MS)).to.deep.equal({ count: 1, endsAt: plusMs(now(), HOUR_MS) });
  });

  for (const times of [1, 2]) {
    it(`never counts below zero when ${times} more hits are removed than were counted`, async () => {
      const { counters, advance, now } = opened().subject;
      const decrementAll = async (left: number): Promise<void> => {
        for (let i = 0; i < left + times; i++) await counters.decrement('key');
        expect(await counters.peek('key')).to.equal(undefined);
      };
      const hitTwice = async (): Promise<void> => {
        const endsAt = plusMs(now(), MINUTE_MS);
        for (const count of [1, 2]) expect(await counters.hit('key', MINUTE_MS)).to.deep.equal({ count, endsAt });
      };
      await decrementAll(0);
      await hitTwice();
      await decrementAll(2);
      await hitTwice();
      await advance(MINUTE_MS);
      await decrementAll(0);
      await hitTwice();
      await counters.clear('key');
      await decrementAll(0);
      await hitTwice();
    });
  }

  it('counts correctly when hits and `decrement` run concurrently', async () => {
    const { counters } = opened().subject;
    for (let i = 0; i < 50; i++) await counters.hit('key', MINUTE_MS);
    await Promise.all(
      oneTo(100).map((i) => (i % 2 === 0 ? counters.decrement('key') : counters.hit('key', MINUTE_MS))),
    );
    expect(await counters.peek('key')).to.have.property('count', 50);
  });
};
