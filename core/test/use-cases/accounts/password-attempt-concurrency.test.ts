import { passwordBlockMs, plusMs, rateRules, type RateCounters } from '@palimpsest/core';
import { MemoryClock, MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { passwordAttempt } from '../../../src/use-cases/accounts/password-attempt.ts';
import { aWorld, codeOf, instead, refusalOf, tally, times } from '../../world.ts';

const SUBJECT = { subject: 'login x' };
const wrong = (): Promise<undefined> => Promise.resolve(undefined);

/** Counters that call `wait` before and after each operation. */
const delayed = (counters: RateCounters, wait: () => Promise<unknown>): RateCounters => {
  const late = async <T>(call: () => Promise<T>): Promise<T> => {
    await wait();
    const result = await call();
    await wait();
    return result;
  };
  return instead(counters, {
    hit: (key, windowMs) => late(() => counters.hit(key, windowMs)),
    peek: (key) => late(() => counters.peek(key)),
    decrement: (key) => late(() => counters.decrement(key)),
    clear: (key) => late(() => counters.clear(key)),
  });
};

const processes = (count: number, wait: () => Promise<unknown> = () => Promise.resolve()) => {
  const store = new MemoryStore();
  const clock = new MemoryClock();
  const attempts = times(count, () => {
    const ports = openMemory(store, { clock });
    return passwordAttempt({ ...ports, rateCounters: delayed(ports.rateCounters, wait) });
  });
  return { store, clock, attempt: (i: number) => attempts[i % count] ?? expect.fail('no process') };
};

describe('passwordAttempt in several processes', () => {
  it('shares the counters when the processes take turns', async () => {
    const { attempt, clock } = processes(2);
    for (let i = 0; i < 3; i++) await attempt(i)(SUBJECT, wrong);
    for (const [i, wait] of [15_000, 30_000, 60_000].entries()) {
      expect((await refusalOf(attempt(i)(SUBJECT, wrong))).retryAfterMs).to.equal(wait);
      clock.advance(wait - 1);
      expect(await codeOf(attempt(i + 1)(SUBJECT, wrong))).to.equal('RATE_LIMITED');
      clock.advance(1);
      expect(await attempt(i)(SUBJECT, wrong)).to.equal(undefined);
    }
  });

  for (const count of [2, 5, 100]) {
    it(`checks three of 100 concurrent attempts in ${count} processes, and one after the block`, async () => {
      const { attempt, clock } = processes(
        count,
        () =>
          new Promise((resolve) => {
            setImmediate(resolve);
          }),
      );
      const flood = () => tally(times(100, (i) => attempt(i)(SUBJECT, wrong)));
      expect(await flood()).to.deep.equal({ ok: 3, RATE_LIMITED: 97 });
      for (const wait of [15_000, 30_000]) {
        clock.advance(wait);
        expect(await flood()).to.deep.equal({ ok: 1, RATE_LIMITED: 99 });
      }
    });
  }

  it("checks three of six concurrent attempts in any order of the store's answers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { attempt, clock } = processes(3, () => scheduler.schedule(Promise.resolve()));
        const flood = async () => {
          const calls = tally(times(6, (i) => attempt(i)(SUBJECT, () => scheduler.schedule(wrong()))));
          await scheduler.waitFor(calls);
          return calls;
        };
        expect(await flood()).to.deep.equal({ ok: 3, RATE_LIMITED: 3 });
        clock.advance(15_000);
        expect(await flood()).to.deep.equal({ ok: 1, RATE_LIMITED: 5 });
        clock.advance(30_000);
        expect(await flood()).to.deep.equal({ ok: 1, RATE_LIMITED: 5 });
      }),
      { numRuns: 60 },
    );
  });

  it('counts no other rule for an attempt that another process blocks', async () => {
    const { attempt, store } = processes(
      5,
      () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
    );
    const guess = { ...SUBJECT, checks: [{ rule: rateRules.loginFailuresPerClient, subject: 'c' }] };
    await tally(times(50, (i) => attempt(i)(guess, wrong)));
    expect(store.rateWindows.get('login-client c')?.count).to.equal(3);
  });

  it('leaves no failure if no attempt was decided, although some were refused meanwhile', async () => {
    const { attempt } = processes(4);
    const { promise: gate, reject } = Promise.withResolvers<undefined>();
    const undecided = times(3, (i) => attempt(i)(SUBJECT, () => gate));
    expect(await codeOf(attempt(3)(SUBJECT, wrong))).to.equal('RATE_LIMITED');
    reject(new Error('the store broke'));
    expect(await tally(undecided)).to.deep.equal({ 'Error: the store broke': 3 });
    expect(await tally(times(4, () => attempt(0)(SUBJECT, wrong)))).to.deep.equal({ ok: 3, RATE_LIMITED: 1 });
  });

  it('shares the counters with a process whose clock is half a minute behind', async () => {
    const store = new MemoryStore();
    const ahead = new MemoryClock();
    const behind = new MemoryClock(plusMs(ahead.now(), -30_000));
    const attempts = [ahead, behind].map((clock) => passwordAttempt(openMemory(store, { clock })));
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 8; i++) {
      const call = attempts[i % 2]?.(SUBJECT, wrong) ?? Promise.reject(new Error('no process'));
      calls.push(call);
      await Promise.allSettled([call]);
    }
    expect(await tally(calls)).to.deep.equal({ ok: 3, RATE_LIMITED: 5 });
  });
});

/** A simple model of the rule. */
class Model {
  now = 0;
  failures = 0;
  blockedUntil = 0;

  attempt(isRight: boolean): number | 'checked' {
    if (this.now < this.blockedUntil) return this.blockedUntil - this.now;
    if (isRight) this.failures = 0;
    else this.blockedUntil = this.now + passwordBlockMs(++this.failures);
    return 'checked';
  }
}

type Step =
  | { readonly kind: 'wrong' | 'right' | 'broken' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'wait out' };

describe('sequential password attempts', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'wrong' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'right' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'broken' } as const) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.constantFrom(1, 999, 14_999, 15_000, 30_000, 59_999, 299_999, 300_000),
      }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'wait out' } as const) },
  );

  it('are blocked as a model of the rule predicts, for any sequence within a day', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const { ports, memory } = aWorld();
        const [first, second] = [passwordAttempt(ports), passwordAttempt(ports)];
        const model = new Model();
        for (const [i, { kind, ...rest }] of steps.entries()) {
          if (kind === 'wait' || kind === 'wait out') {
            const ms = 'ms' in rest ? rest.ms : Math.max(model.blockedUntil - model.now, 0);
            memory.clock.advance(ms);
            model.now += ms;
            continue;
          }
          const attempt = (i % 2 === 0 ? first : second)(SUBJECT, () =>
            kind === 'broken'
              ? Promise.reject(new TypeError('broke'))
              : Promise.resolve(kind === 'right' ? 'in' : undefined),
          );
          if (kind === 'broken' && model.now >= model.blockedUntil) {
            expect(await codeOf(attempt)).to.be.instanceOf(TypeError);
            continue;
          }
          const expected = model.attempt(kind === 'right');
          if (expected === 'checked') expect(await attempt).to.equal(kind === 'right' ? 'in' : undefined);
          else expect((await refusalOf(attempt)).retryAfterMs).to.equal(expected);
        }
      }),
      { numRuns: 300 },
    );
  });
});
