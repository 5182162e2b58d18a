import { inspect } from 'node:util';
import { isAppError } from '@palimpsest/core';
import { AssertionError, expect, util } from 'chai';
import type { Faults } from './faults.ts';
import { describeWithFaults, type Opened, type Without } from './harness.ts';
import { describeWithTimeout } from './runner.ts';

/** What a call came to: what it gave; or the code (or `TypeError`) with which it refused; `SERVICE_UNAVAILABLE` stands apart. */
export type Outcome = unknown;

const UNAVAILABLE = Symbol('SERVICE_UNAVAILABLE');

/** The outcome of a call that refuses with an `AppError` of this code, or with a `TypeError`. */
export const threw = (code: string): Outcome => ({ threw: code });

/** A call that changes or reads what is stored, and what it may come to. Values are compared deeply. */
export interface FaultCase<T> {
  readonly what: string; // `the storing of a document`
  readonly prepare?: (subject: T) => Promise<unknown>;
  /** Asks for the same each time. */
  readonly call: (subject: T) => Promise<unknown>;
  /** What it comes to if it is the first to take effect. */
  readonly first: Outcome;
  /** What it may come to as well if it took effect before. */
  readonly again?: readonly Outcome[];
  /** What can be seen of the store, in which what was there before the call is to be seen too. Changes nothing that counts. */
  readonly look: (subject: T) => Promise<unknown>;
  /** What is seen while the call has not taken effect; left out where looking would take part. */
  readonly before?: unknown;
  /** What is seen when it has, once. */
  readonly after: unknown;
  /** What may be seen as well when a caller repeated it who did not know whether it had. */
  readonly afterRepeat?: readonly unknown[];
}

/** What `call` came to. A refusal that is none of `expected` is thrown on, as what it is. */
const attempt = async (call: () => Promise<unknown>, expected: readonly Outcome[]): Promise<Outcome> => {
  try {
    return await call();
  } catch (error) {
    if (isAppError(error, 'SERVICE_UNAVAILABLE')) return UNAVAILABLE;
    const refusal = threw(isAppError(error) ? error.code : error instanceof TypeError ? 'TypeError' : 'another error');
    if (expected.some((one) => util.eql(one, refusal))) return refusal;
    throw new AssertionError(`SERVICE_UNAVAILABLE was expected, not ${inspect(error)}`);
  }
};

/** What `call` comes to when it is repeated while the backend cannot be reached; fails if that lasts. */
export const untilAnswered = async (
  call: () => Promise<unknown>,
  expected: readonly Outcome[] = [],
  withinMs = 20_000,
): Promise<Outcome> => {
  const end = performance.now() + withinMs;
  for (;;) {
    const outcome = await attempt(call, expected);
    if (outcome !== UNAVAILABLE) return outcome;
    if (performance.now() > end)
      throw new AssertionError(`Still SERVICE_UNAVAILABLE ${withinMs} ms after the fault was over`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const expectOneOf = (what: string, value: unknown, allowed: readonly unknown[]): void => {
  if (allowed.some((one) => util.eql(one, value))) return;
  throw new AssertionError(`${what}: ${inspect(value, { depth: 6 })} is none of ${inspect(allowed, { depth: 7 })}`);
};

/** Long enough for a call to leave this process, and shorter than {@link SLOW_MS}. */
const UNDER_WAY_MS = 30;
const SLOW_MS = 100;

interface FaultPlan {
  readonly title: string;
  readonly begin: (faults: Faults) => Promise<void>;
  readonly underWay?: (faults: Faults) => Promise<void>;
  readonly lasts?: boolean; // until it is restored: nothing can succeed
}

const plans: readonly FaultPlan[] = [
  { title: 'after its idle connection was cut', begin: (faults) => faults.dropConnections() },
  {
    title: 'when its connection is cut under way',
    begin: (faults) => faults.slow(SLOW_MS),
    underWay: (faults) => faults.dropConnections(),
  },
  { title: 'when its request fails', begin: (faults) => faults.failNext(1) },
  { title: 'when its request fails three times', begin: (faults) => faults.failNext(3) },
  { title: 'when its answer is lost', begin: (faults) => faults.loseAnswers(1) },
  {
    title: 'while the backend is out of reach',
    begin: async (faults) => {
      await faults.failNext(Infinity);
      await faults.dropConnections();
    },
    lasts: true,
  },
];

const undergo = async <T>(subject: () => T, faults: Faults, given: FaultCase<T>, plan: FaultPlan): Promise<void> => {
  // Asked for anew each time, so that nothing is called any more once the test has been given up.
  const call = async (): Promise<unknown> => await given.call(subject());
  const look = async (): Promise<unknown> => await given.look(subject());
  await given.prepare?.(subject());
  await plan.begin(faults);
  const outcomes = [given.first, ...(given.again ?? [])];
  const called = attempt(call, outcomes);
  if (plan.underWay !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
    await plan.underWay(faults);
  }
  const outcome = await called;
  if (plan.lasts === true) expect(outcome, 'what the call came to without a backend').to.equal(UNAVAILABLE);
  await faults.restore();
  if (outcome !== UNAVAILABLE) {
    expect(outcome, 'what the call came to').to.deep.equal(given.first);
    expect(await untilAnswered(look), 'what is stored after one call').to.deep.equal(given.after);
    return;
  }
  if ('before' in given)
    expectOneOf('what is stored after a call that failed', await untilAnswered(look), [given.before, given.after]);
  expectOneOf('what the repeated call came to', await untilAnswered(call, outcomes), outcomes);
  expectOneOf('what is stored in the end', await untilAnswered(look), [given.after, ...(given.afterRepeat ?? [])]);
};

/**
 * What every port promises whose backend is reached over a connection: a call that the connection fails either succeeds or
 * throws `SERVICE_UNAVAILABLE`, with its effect or without, never with half of it or twice; it never throws another error
 * and never gives a wrong answer; and when the fault is over, everything goes on as before. `more` are tests of the port's own.
 */
export const describeFaults = <T, P>(
  opened: () => Opened<T>,
  without: Without,
  part: (subject: T) => P,
  cases: readonly FaultCase<P>[],
  more?: (faults: () => Faults) => void,
): void =>
  describeWithFaults(opened, without, (faults) => {
    for (const given of cases) {
      describeWithTimeout(given.what, 120_000, () => {
        const subject = (): P => part(opened().subject);
        for (const plan of plans) {
          const what = plan.lasts === true ? 'throws SERVICE_UNAVAILABLE' : 'succeeds or throws SERVICE_UNAVAILABLE';
          it(`${what}, and nothing is wrong afterwards, ${plan.title}`, () => undergo(subject, faults(), given, plan));
        }

        it('succeeds on a slow connection, and loses no other call on it', async () => {
          await given.prepare?.(subject());
          await faults().slow(SLOW_MS);
          if ('before' in given) {
            const looks = await Promise.all([given.look(subject()), given.look(subject())]);
            expect(looks, 'what is seen by two who look at once').to.deep.equal([given.before, given.before]);
          }
          // Who looks in two steps may see the one half before the call and the other half after it.
          const meanwhile = 'before' in given ? given.look(subject()) : undefined;
          expect(await attempt(() => given.call(subject()), [given.first]), 'what the call came to').to.deep.equal(
            given.first,
          );
          await meanwhile;
          await faults().restore();
          expect(await given.look(subject()), 'what is stored').to.deep.equal(given.after);
        });
      });
    }
    more?.(faults);
  });
