import { expect } from 'chai';
import { CircuitBreaker } from '@palimpsest/core';

const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const testBench = (isFailure?: (error: unknown) => boolean) => {
  const clock = { ms: 0 };
  const breaker = new CircuitBreaker({ openMs: 5_000, now: () => clock.ms, ...(isFailure && { isFailure }) });
  const fail = (message: string): Promise<unknown> => errorOf(breaker.run(() => Promise.reject(new Error(message))));
  return { clock, breaker, fail };
};

describe('CircuitBreaker', () => {
  it('returns the result of a call', async () => {
    expect(await testBench().breaker.run(async () => 1)).to.equal(1);
  });

  it('fails fast with the same error until `openMs` have passed', async () => {
    const { breaker, clock, fail } = testBench();
    const first = await fail('down');
    let calls = 0;
    clock.ms = 4_999;
    expect(await errorOf(breaker.run(async () => calls++))).to.equal(first);
    expect(breaker.isOpen).to.equal(true);
    clock.ms = 5_000;
    await breaker.run(async () => calls++);
    expect(calls).to.equal(1);
  });

  it('lets one call try again and fails fast for concurrent calls', async () => {
    const { breaker, clock, fail } = testBench();
    const first = await fail('down');
    clock.ms = 6_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    const probe = breaker.run(() => promise);
    expect(await errorOf(breaker.run(async () => undefined))).to.equal(first);
    resolve();
    await probe;
    expect(breaker.isOpen).to.equal(false);
  });

  it('opens again when the call that tries again fails', async () => {
    const { breaker, clock, fail } = testBench();
    await fail('down');
    clock.ms = 6_000;
    const second = await fail('still down');
    clock.ms = 10_999;
    expect(await errorOf(breaker.run(async () => undefined))).to.equal(second);
  });

  it('does not open after an error that `isFailure` excludes', async () => {
    const { breaker, fail } = testBench((error) => !String(error).includes('duplicate'));
    await fail('duplicate');
    expect(breaker.isOpen).to.equal(false);
  });
});
