import { countRequest, plusMs, type LimitState } from '@palimpsest/core';
import { MemoryClock, MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { aWorld, codeOf, refusalOf, tally, times } from '../../world.ts';

const perMinute = { name: 'minute', max: 1, windowMs: 60_000 };
const perHour = { name: 'hour', max: 5, windowMs: 3_600_000 };
const BOTH = [perMinute, perHour].map((rule) => ({ rule, subject: 'x' }));

const setUp = () => {
  const { ports, memory } = aWorld();
  const counts = async () => [
    (await ports.rateCounters.peek('minute x'))?.count ?? 0,
    (await ports.rateCounters.peek('hour x'))?.count ?? 0,
  ];
  return { ports, clock: memory.clock, counts, count: countRequest(ports) };
};

describe('countRequest', () => {
  it('allows one request a minute and five an hour, and states the longer wait', async () => {
    const { count, clock, counts } = setUp();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      await count(BOTH, undefined);
      waits.push((await refusalOf(count(BOTH, undefined))).retryAfterMs ?? 0);
      clock.advance(60_000);
    }
    expect(waits).to.deep.equal([60_000, 60_000, 60_000, 60_000, 3_600_000 - 240_000]);
    expect(await counts()).to.deep.equal([0, 5]);
    expect((await refusalOf(count(BOTH, undefined))).retryAfterMs).to.equal(3_600_000 - 300_000);
    expect(await counts()).to.deep.equal([0, 5]);
    clock.advance(3_600_000 - 300_001);
    expect(await codeOf(count(BOTH, undefined))).to.equal('RATE_LIMITED');
    clock.advance(1);
    await count(BOTH, undefined);
    expect(await counts()).to.deep.equal([1, 1]);
  });

  it('does not count a refused request with any rule', async () => {
    for (const checks of [BOTH, BOTH.toReversed()]) {
      const { count, clock, counts } = setUp();
      await count(checks, undefined);
      for (let i = 0; i < 20; i++) await codeOf(count(checks, undefined));
      expect(await counts()).to.deep.equal([1, 1]);
      clock.advance(60_000);
      await count(checks, undefined);
      expect(await counts()).to.deep.equal([1, 2]);
    }
  });

  it('allows exactly `max` of a hundred concurrent requests', async () => {
    const { count, counts } = setUp();
    expect(await tally(times(100, () => count([{ rule: perHour, subject: 'x' }], undefined)))).to.deep.equal({
      ok: 5,
      RATE_LIMITED: 95,
    });
    expect(await counts()).to.deep.equal([0, 5]);
    expect(await tally(times(100, () => count(BOTH, undefined)))).to.deep.equal({ RATE_LIMITED: 100 });
    expect(await counts()).to.deep.equal([0, 5]);
  });

  it('allows exactly as many concurrent requests in several processes as the strictest rule', async () => {
    const store = new MemoryStore();
    const clock = new MemoryClock();
    const counts = times(4, () => countRequest(openMemory(store, { clock })));
    expect(
      await tally(times(100, (i) => counts[i % 4]?.(BOTH, undefined) ?? Promise.reject(new Error('none')))),
    ).to.deep.equal({ ok: 1, RATE_LIMITED: 99 });
  });

  it('counts each subject separately', async () => {
    const { count } = setUp();
    await count([{ rule: perMinute, subject: 'x' }], undefined);
    await count([{ rule: perMinute, subject: 'y' }], undefined);
    expect(await codeOf(count([{ rule: perMinute, subject: 'x' }], undefined))).to.equal('RATE_LIMITED');
  });

  it('removes a request from the counters once, even if `undo` is called several times', async () => {
    const { count, counts } = setUp();
    const checks = [{ rule: perHour, subject: 'x' }];
    await count(checks, undefined);
    const second = await count(checks, undefined);
    await Promise.all([second.undo(), second.undo()]);
    await second.undo();
    expect(await counts()).to.deep.equal([0, 1]);
  });

  it('refuses until `blockedUntil`', async () => {
    const { count, clock, counts } = setUp();
    expect((await refusalOf(count(BOTH, undefined, plusMs(clock.now(), 7000)))).retryAfterMs).to.equal(7000);
    await count(BOTH, undefined);
    expect((await refusalOf(count(BOTH, undefined, plusMs(clock.now(), 7000)))).retryAfterMs).to.equal(60_000);
    expect((await refusalOf(count(BOTH, undefined, plusMs(clock.now(), 70_000)))).retryAfterMs).to.equal(70_000);
    expect(await counts()).to.deep.equal([1, 1]);
  });

  it('reports the states of the limits for allowed and refused requests', async () => {
    const { count, clock } = setUp();
    const told: (readonly LimitState[])[] = [];
    const last = () => told.at(-1)?.map(({ name, remaining, resetMs }) => [name, remaining, resetMs]);
    await count(BOTH, (states) => told.push(states));
    expect(last()).to.deep.equal([
      ['minute', 0, 60_000],
      ['hour', 4, 3_600_000],
    ]);
    clock.advance(1000);
    await codeOf(count(BOTH, (states) => told.push(states)));
    expect(last()).to.deep.equal([
      ['minute', 0, 59_000],
      ['hour', 4, 3_599_000],
    ]);
    expect(told).to.have.length(2);
  });

  it('allows a request after the stated wait, and refuses it before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 200_000 }), { maxLength: 25 }), async (pauses) => {
        const { count, clock } = setUp();
        for (const pause of pauses) {
          clock.advance(pause);
          await Promise.allSettled([count(BOTH, undefined)]);
        }
        const wait =
          (
            await count(BOTH, undefined).then(
              () => refusalOf(count(BOTH, undefined)),
              (error: { retryAfterMs: number }) => error,
            )
          ).retryAfterMs ?? 0;
        expect(wait).to.be.greaterThan(0);
        clock.advance(wait - 1);
        expect(await codeOf(count(BOTH, undefined))).to.equal('RATE_LIMITED');
        clock.advance(1);
        await count(BOTH, undefined);
      }),
    );
  });
});

describe('countRequest with differing clocks', () => {
  const at = (store: MemoryStore, offsetMs: number) => {
    const clock = new MemoryClock(plusMs(new MemoryClock().now(), offsetMs));
    const ports = openMemory(store, { clock });
    return { ports, count: countRequest(ports) };
  };
  const checks = [{ rule: perHour, subject: 'x' }];

  it('closes a window with an impossible end after the clock was set back', async () => {
    const store = new MemoryStore();
    const before = at(store, 0);
    for (let i = 0; i < 5; i++) await before.count(checks, undefined);
    for (const jump of [-3_600_000, -24 * 3_600_000]) {
      const after = at(store, jump);
      for (let i = 0; i < 5; i++) await after.count(checks, undefined);
      const { retryAfterMs } = await refusalOf(after.count(checks, undefined));
      expect(retryAfterMs).to.equal(3_600_000);
    }
  });

  it('keeps a window of a process whose clock is half a minute behind', async () => {
    const store = new MemoryStore();
    const [ahead, behind] = [at(store, 0), at(store, -30_000)];
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 10; i++) {
      const call = (i % 2 === 0 ? ahead : behind).count(checks, undefined);
      calls.push(call);
      await Promise.allSettled([call]);
    }
    expect(await tally(calls)).to.deep.equal({ ok: 5, RATE_LIMITED: 5 });
  });

  it('allows no more requests if the clock of the store is half a minute ahead', async () => {
    const store = new MemoryStore();
    const { rateCounters } = at(store, 0).ports;
    const count = countRequest({ rateCounters, clock: at(store, -30_000).ports.clock });
    for (let i = 0; i < 5; i++) await count(checks, undefined);
    for (let i = 0; i < 5; i++) expect(await codeOf(count(checks, undefined))).to.equal('RATE_LIMITED');
  });
});
