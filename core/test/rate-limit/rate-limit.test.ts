import { passwordBlockMs, rateLimited, rateRules, stateOf } from '@palimpsest/core';
import { expect } from 'chai';

describe('passwordBlockMs', () => {
  it('is 0 for two wrong passwords, then 15, 30, 60, 120, 240 and 300 seconds', () => {
    const blocks = Array.from({ length: 12 }, (_, failures) => passwordBlockMs(failures) / 1000);
    expect(blocks).to.deep.equal([0, 0, 0, 15, 30, 60, 120, 240, 300, 300, 300, 300]);
    for (const failures of [13, 50, 1000, 1e6, Number.MAX_SAFE_INTEGER])
      expect(passwordBlockMs(failures)).to.equal(300_000);
  });
});

describe('stateOf', () => {
  const rule = { name: 'r', max: 5, windowMs: 60_000 };

  it('has everything remaining without an open window', () => {
    expect(stateOf(rule, undefined, 1000)).to.deep.equal({ ...rule, remaining: 5, resetMs: 60_000 });
  });

  it('states the remaining number and the reset time', () => {
    expect(stateOf(rule, { count: 2, endsAt: 31_000_000 }, 1_000_000)).to.deep.equal({
      ...rule,
      remaining: 3,
      resetMs: 30_000,
    });
  });

  it('is never negative, also if more was counted or the window has ended', () => {
    expect(stateOf(rule, { count: 9, endsAt: 5 }, 10)).to.deep.equal({ ...rule, remaining: 0, resetMs: 0 });
  });
});

describe('rateLimited', () => {
  for (const [waitMicros, retryAfterMs, seconds] of [
    [60_000_000, 60_000, '60 seconds'],
    [59_000_001, 59_000.001, '60 seconds'],
    [1_000_000, 1000, '1 second'],
    [1_000_001, 1000.001, '2 seconds'],
    [1, 1, '1 second'],
    [0, 1, '1 second'],
    [-5_000_000, 1, '1 second'],
  ] as const) {
    it(`states ${seconds} for a call that is ${waitMicros} µs too early`, () => {
      const refusal = rateLimited(7_000_000 + waitMicros, 7_000_000);
      expect(refusal).to.include({
        code: 'RATE_LIMITED',
        retryAfterMs,
        message: `Too many requests. Try again in ${seconds}.`,
      });
    });
  }
});

describe('rateRules', () => {
  it('have the documented limits', () => {
    const published = Object.fromEntries(
      Object.values(rateRules).map(({ name, max, windowMs }) => [name, `${max} in ${windowMs / 1000} s`]),
    );
    expect(published).to.deep.equal({
      'register-client': '5 in 3600 s',
      'login-client': '100 in 3600 s',
      'login-email': '50 in 3600 s',
      'resend-minute': '1 in 60 s',
      'resend-hour': '5 in 3600 s',
      'forgot-minute': '1 in 60 s',
      'forgot-hour': '5 in 3600 s',
      'forgot-client': '20 in 3600 s',
      'email-minute': '10 in 60 s',
      'email-hour': '50 in 3600 s',
      'taken-notice': '3 in 86400 s',
    });
  });
});
