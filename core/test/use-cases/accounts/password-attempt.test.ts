import { type LimitState, rateRules } from '@palimpsest/core';
import { MemoryClock, MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { passwordAttempt } from '../../../src/use-cases/accounts/password-attempt.ts';
import { aWorld, codeOf, refusalOf, tally, times } from '../../world.ts';

const SUBJECT = { subject: 'login x' };
const wrong = (): Promise<undefined> => Promise.resolve(undefined);
const right = (): Promise<string> => Promise.resolve('in');
const broken = (): Promise<undefined> => Promise.reject(new Error('the store broke'));

const setUp = () => {
  const { ports, memory } = aWorld();
  return { ports, clock: memory.clock, attempt: passwordAttempt(ports) };
};

describe('passwordAttempt', () => {
  it('blocks for 15, 30, 60, 120, 240, 300, 300 s after three wrong passwords, to the millisecond', async () => {
    const { attempt, clock } = setUp();
    for (let i = 0; i < 3; i++) expect(await attempt(SUBJECT, wrong)).to.equal(undefined);
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      expect((await refusalOf(attempt(SUBJECT, right))).retryAfterMs).to.equal(seconds * 1000);
      clock.advance(seconds * 1000 - 1);
      expect(await refusalOf(attempt(SUBJECT, right))).to.include({ code: 'RATE_LIMITED', retryAfterMs: 1 });
      clock.advance(1);
      expect(await attempt(SUBJECT, wrong)).to.equal(undefined);
    }
    clock.advance(300_000);
    expect(await attempt(SUBJECT, right)).to.equal('in');
  });

  it('does not check a blocked attempt, which does not extend the block', async () => {
    const { attempt, clock } = setUp();
    for (let i = 0; i < 3; i++) await attempt(SUBJECT, wrong);
    let looked = 0;
    for (let ms = 0; ms < 15_000; ms += 100) {
      const refusal = await refusalOf(
        attempt(SUBJECT, async () => {
          looked++;
          return ms % 200 === 0 ? 'in' : undefined;
        }),
      );
      expect(refusal).to.include({ code: 'RATE_LIMITED', retryAfterMs: 15_000 - ms });
      clock.advance(100);
    }
    expect(looked).to.equal(0);
    expect(await attempt(SUBJECT, wrong)).to.equal(undefined);
    expect((await refusalOf(attempt(SUBJECT, right))).retryAfterMs).to.equal(30_000);
  });

  it('forgets all failures after a right password', async () => {
    const { attempt, clock } = setUp();
    for (const failures of [2, 3]) {
      for (let i = 0; i < failures; i++) await attempt(SUBJECT, wrong);
      clock.advance(failures === 3 ? 15_000 : 0);
      expect(await attempt(SUBJECT, right)).to.equal('in');
    }
    for (let i = 0; i < 3; i++) expect(await attempt(SUBJECT, wrong)).to.equal(undefined);
    expect((await refusalOf(attempt(SUBJECT, right))).retryAfterMs).to.equal(15_000);
  });

  it('forgets failures after 24 hours, and not earlier', async () => {
    const { attempt, clock } = setUp();
    for (let i = 0; i < 2; i++) await attempt(SUBJECT, wrong);
    clock.advance(24 * 3_600_000 - 1);
    await attempt(SUBJECT, wrong);
    expect(await codeOf(attempt(SUBJECT, right))).to.equal('RATE_LIMITED');
    const later = setUp();
    for (let i = 0; i < 2; i++) await later.attempt(SUBJECT, wrong);
    later.clock.advance(24 * 3_600_000);
    for (let i = 0; i < 3; i++) expect(await later.attempt(SUBJECT, wrong)).to.equal(undefined);
    expect((await refusalOf(later.attempt(SUBJECT, right))).retryAfterMs).to.equal(15_000);
  });

  it('counts each subject separately', async () => {
    const { attempt } = setUp();
    for (let i = 0; i < 3; i++) await attempt(SUBJECT, wrong);
    expect(await attempt({ subject: 'login y' }, right)).to.equal('in');
    expect(await codeOf(attempt(SUBJECT, right))).to.equal('RATE_LIMITED');
  });

  it('does not count an attempt whose check throws, not even the one that starts a block', async () => {
    const { attempt, clock } = setUp();
    for (let failures = 0; failures < 6; failures++) {
      for (let i = 0; i < 5; i++)
        expect(await codeOf(attempt(SUBJECT, broken))).to.have.property('message', 'the store broke');
      expect(await attempt(SUBJECT, wrong)).to.equal(undefined);
      if (failures < 2) continue;
      const wait = 15_000 * 2 ** (failures - 2);
      expect((await refusalOf(attempt(SUBJECT, right))).retryAfterMs).to.equal(Math.min(wait, 300_000));
      clock.advance(Math.min(wait, 300_000));
    }
  });

  it('reports the state of the limit', async () => {
    const { attempt, clock } = setUp();
    const told: LimitState[] = [];
    const guess = {
      ...SUBJECT,
      onLimits: ([own]: readonly LimitState[]) => {
        if (own) told.push(own);
      },
    };
    const last = (): unknown => ({ remaining: told.at(-1)?.remaining, resetMs: told.at(-1)?.resetMs });
    await attempt(guess, wrong);
    expect(told.at(-1)).to.deep.equal({
      name: 'password',
      max: 3,
      windowMs: 24 * 3_600_000,
      remaining: 2,
      resetMs: 24 * 3_600_000,
    });
    clock.advance(1000);
    await attempt(guess, wrong);
    expect(last()).to.deep.equal({ remaining: 1, resetMs: 24 * 3_600_000 - 1000 });
    await attempt(guess, wrong);
    expect(last()).to.deep.equal({ remaining: 0, resetMs: 15_000 });
    clock.advance(5000);
    await codeOf(attempt(guess, wrong));
    expect(last()).to.deep.equal({ remaining: 0, resetMs: 10_000 });
    clock.advance(10_000);
    await attempt(guess, right);
    expect(last()).to.deep.equal({ remaining: 3, resetMs: 24 * 3_600_000 });
  });

  it('blocks no longer than the rule allows after the clock was set back', async () => {
    const store = new MemoryStore();
    const ahead = new MemoryClock();
    const attemptAhead = passwordAttempt(openMemory(store, { clock: ahead }));
    for (let i = 0; i < 3; i++) await attemptAhead(SUBJECT, wrong);
    const back = new MemoryClock(ahead.now() - 3_600_000_000);
    expect(await passwordAttempt(openMemory(store, { clock: back }))(SUBJECT, right)).to.equal('in');
  });
});

describe('concurrent wrong passwords', () => {
  it('are checked three times, and once after the block', async () => {
    const { attempt, clock } = setUp();
    let looked = 0;
    const flood = () => tally(times(100, () => attempt(SUBJECT, async () => void looked++)));
    expect(await flood()).to.deep.equal({ ok: 3, RATE_LIMITED: 97 });
    expect(looked).to.equal(3);
    for (const wait of [15_000, 30_000, 60_000]) {
      clock.advance(wait);
      expect(await flood()).to.deep.equal({ ok: 1, RATE_LIMITED: 99 });
    }
    expect(looked).to.equal(6);
  });

  it('leave exactly three counted failures', async () => {
    const { attempt, clock } = setUp();
    await tally(times(100, () => attempt(SUBJECT, wrong)));
    clock.advance(15_000);
    expect(await attempt(SUBJECT, right)).to.equal('in');
    expect(await tally(times(100, () => attempt(SUBJECT, wrong)))).to.deep.equal({ ok: 3, RATE_LIMITED: 97 });
  });

  it('do not block concurrent right passwords', async () => {
    const { attempt } = setUp();
    expect(await tally(times(20, () => attempt(SUBJECT, right)))).to.deep.equal({ ok: 20 });
  });

  it('are refused when a thousand attempts of one subject wait', async () => {
    const { attempt } = setUp();
    const { promise: gate, resolve } = Promise.withResolvers<undefined>();
    const calls = times(1002, (i) => attempt(SUBJECT, () => (i === 0 ? gate : wrong())));
    expect(await codeOf(calls[1001] ?? Promise.resolve())).to.equal('SERVICE_UNAVAILABLE');
    resolve(undefined);
    expect(await tally(calls)).to.deep.equal({ ok: 3, RATE_LIMITED: 998, SERVICE_UNAVAILABLE: 1 });
    expect(await codeOf(attempt(SUBJECT, right))).to.equal('RATE_LIMITED');
  });
});

describe('further rules of a password attempt', () => {
  const rule = { name: 'few', max: 5, windowMs: 3_600_000 };

  it('count failures only', async () => {
    const { attempt, ports } = setUp();
    const guess = (i: number) => ({ subject: `login ${i}`, checks: [{ rule, subject: 'c' }] });
    for (let i = 0; i < 20; i++) await attempt(guess(i), right);
    for (let i = 0; i < 20; i++) await codeOf(attempt(guess(i), broken));
    expect(await ports.rateCounters.peek('few c')).to.equal(undefined);
    for (let i = 0; i < 5; i++) await attempt(guess(i), wrong);
    expect(await refusalOf(attempt(guess(9), right))).to.include({ code: 'RATE_LIMITED', retryAfterMs: 3_600_000 });
    expect((await ports.rateCounters.peek('few c'))?.count).to.equal(5);
  });

  it('do not count blocked attempts, sequential or concurrent', async () => {
    const { attempt, ports } = setUp();
    const guess = { ...SUBJECT, checks: [{ rule: rateRules.loginFailuresPerClient, subject: 'c' }] };
    await tally(times(50, () => attempt(guess, wrong)));
    await tally(times(50, () => passwordAttempt(ports)(guess, wrong)));
    expect((await ports.rateCounters.peek('login-client c'))?.count).to.equal(3);
  });

  it('admit exactly `max` of the concurrent attempts for different subjects', async () => {
    const { attempt } = setUp();
    const calls = times(100, (i) => attempt({ subject: `login ${i}`, checks: [{ rule, subject: 'c' }] }, wrong));
    expect(await tally(calls)).to.deep.equal({ ok: 5, RATE_LIMITED: 95 });
  });

  it('state the longest of all waits', async () => {
    const { attempt, clock } = setUp();
    const checks = [{ rule: { ...rule, max: 3 }, subject: 'c' }];
    for (let i = 0; i < 3; i++) await attempt({ ...SUBJECT, checks }, wrong);
    expect((await refusalOf(attempt({ ...SUBJECT, checks }, right))).retryAfterMs).to.equal(3_600_000);
    clock.advance(3_600_000);
    expect(await attempt({ ...SUBJECT, checks }, right)).to.equal('in');
    const short = [{ rule: { ...rule, max: 3, windowMs: 5000 }, subject: 'd' }];
    for (let i = 0; i < 3; i++) await attempt({ ...SUBJECT, checks: short }, wrong);
    expect((await refusalOf(attempt({ ...SUBJECT, checks: short }, right))).retryAfterMs).to.equal(15_000);
  });

  it('are reported with the password limit, and do not count a right password', async () => {
    const { attempt } = setUp();
    let told: readonly LimitState[] = [];
    const guess = {
      ...SUBJECT,
      checks: [{ rule, subject: 'c' }],
      onLimits: (states: readonly LimitState[]) => {
        told = states;
      },
    };
    const remaining = () => Object.fromEntries(told.map((state) => [state.name, state.remaining]));
    await attempt(guess, wrong);
    expect(remaining()).to.deep.equal({ password: 2, few: 4 });
    await attempt(guess, right);
    expect(remaining()).to.deep.equal({ password: 3, few: 4 });
  });
});
