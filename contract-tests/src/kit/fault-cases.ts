import { inspect } from 'node:util';
import { isAppError } from '@palimpsest/core';
import { AssertionError, expect, util } from 'chai';
import type { Faults } from './faults.ts';
import { describeWithFaults, type Opened, type Without } from './harness.ts';
import { describeWithTimeout } from './runner.ts';

/** The result of a call: its value, the code of its error, or `SERVICE_UNAVAILABLE`. */
export type Outcome = unknown;

const UNAVAILABLE = Symbol('SERVICE_UNAVAILABLE');

/** The outcome of a call that throws an `AppError` with this code, or a `TypeError`. */
export const threw = (code: string): Outcome => ({ threw: code });

/** A call that is tested with every fault, and its allowed outcomes. Values are compared deeply. */
export interface FaultCase<T> {
  readonly title: string; // usually the called method
  readonly prepare?: (subject: T) => Promise<unknown>;
  /** The tested call. It does the same each time. */
  readonly call: (subject: T) => Promise<unknown>;
  /** The outcome of the first call that takes effect. */
  readonly firstOutcome: Outcome;
  /** More allowed outcomes of a repeated call. */
  readonly repeatOutcomes?: readonly Outcome[];
  /** Reads the state of the store, including the data of `prepare`. */
  readonly readState: (subject: T) => Promise<unknown>;
  /** The result of `readState` before the call takes effect; absent if `readState` itself changes the state. */
  readonly stateBefore?: unknown;
  /** The result of `readState` after the call took effect once. */
  readonly stateAfter: unknown;
  /** More allowed results of `readState` after a repeated call. */
  readonly statesAfterRepeat?: readonly unknown[];
}

/** The outcome of a call. Fails for an error that is neither expected nor `SERVICE_UNAVAILABLE`. */
const attempt = async (call: () => Promise<unknown>, expected: readonly Outcome[]): Promise<Outcome> => {
  try {
    return await call();
  } catch (error) {
    if (isAppError(error, 'SERVICE_UNAVAILABLE')) return UNAVAILABLE;
    const refusal = threw(isAppError(error) ? error.code : error instanceof TypeError ? 'TypeError' : 'another error');
    if (expected.some((one) => util.eql(one, refusal))) return refusal;
    throw new AssertionError(`Expected SERVICE_UNAVAILABLE, got ${inspect(error)}`);
  }
};

/** Repeats the call until the backend is reachable, and returns its outcome. */
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
      throw new AssertionError(`Still SERVICE_UNAVAILABLE ${withinMs} ms after the end of the fault`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const expectOneOf = (what: string, value: unknown, allowed: readonly unknown[]): void => {
  if (allowed.some((one) => util.eql(one, value))) return;
  throw new AssertionError(`${what}: ${inspect(value, { depth: 6 })} is not one of ${inspect(allowed, { depth: 7 })}`);
};

/** Usually long enough to send a request, and shorter than {@link SLOW_MS}. The tests pass with any timing. */
const IN_FLIGHT_MS = 30;
const SLOW_MS = 100;

interface FaultPlan {
  readonly title: string;
  readonly begin: (faults: Faults) => Promise<void>;
  readonly duringRequest?: (faults: Faults) => Promise<void>;
  readonly untilRestored?: boolean; // no call can succeed before `restore`
}

const plans: readonly FaultPlan[] = [
  { title: 'after the idle connection broke', begin: (faults) => faults.dropConnections() },
  {
    title: 'when the connection breaks during the request',
    begin: (faults) => faults.slow(SLOW_MS),
    duringRequest: (faults) => faults.dropConnections(),
  },
  { title: 'when the request fails', begin: (faults) => faults.failNext(1) },
  { title: 'when the request fails three times', begin: (faults) => faults.failNext(3) },
  { title: 'when the answer is lost', begin: (faults) => faults.loseAnswers(1) },
  {
    title: 'while the backend is unreachable',
    begin: async (faults) => {
      await faults.failNext(Infinity);
      await faults.dropConnections();
    },
    untilRestored: true,
  },
];

const testFault = async <T>(subject: () => T, faults: Faults, given: FaultCase<T>, plan: FaultPlan): Promise<void> => {
  // `subject()` throws after the end of the test, so that a test that timed out makes no further calls.
  const call = async (): Promise<unknown> => await given.call(subject());
  const readState = async (): Promise<unknown> => await given.readState(subject());
  await given.prepare?.(subject());
  await plan.begin(faults);
  const outcomes = [given.firstOutcome, ...(given.repeatOutcomes ?? [])];
  const called = attempt(call, outcomes);
  if (plan.duringRequest !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, IN_FLIGHT_MS));
    await plan.duringRequest(faults);
  }
  const outcome = await called;
  if (plan.untilRestored === true) expect(outcome, 'outcome without a backend').to.equal(UNAVAILABLE);
  await faults.restore();
  if (outcome !== UNAVAILABLE) {
    expect(outcome, 'outcome').to.deep.equal(given.firstOutcome);
    expect(await untilAnswered(readState), 'state after the call').to.deep.equal(given.stateAfter);
    return;
  }
  if ('stateBefore' in given)
    expectOneOf('state after a failed call', await untilAnswered(readState), [given.stateBefore, given.stateAfter]);
  expectOneOf('outcome of the repeated call', await untilAnswered(call, outcomes), outcomes);
  expectOneOf('state at the end', await untilAnswered(readState), [
    given.stateAfter,
    ...(given.statesAfterRepeat ?? []),
  ]);
};

/**
 * Tests a port over a connection that fails. A call either succeeds or throws `SERVICE_UNAVAILABLE`. It takes effect
 * completely, once, or not at all. It never throws another error or returns a wrong result. After the fault, calls work
 * again. `more` adds tests of the port.
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
      describeWithTimeout(given.title, 120_000, () => {
        const subject = (): P => part(opened().subject);
        for (const plan of plans) {
          const what =
            plan.untilRestored === true ? 'throws SERVICE_UNAVAILABLE' : 'succeeds or throws SERVICE_UNAVAILABLE';
          it(`${what} and leaves a correct state ${plan.title}`, () => testFault(subject, faults(), given, plan));
        }

        it('succeeds on a slow connection beside other calls', async () => {
          await given.prepare?.(subject());
          await faults().slow(SLOW_MS);
          if ('stateBefore' in given) {
            const states = await Promise.all([given.readState(subject()), given.readState(subject())]);
            expect(states, 'state seen by two concurrent calls').to.deep.equal([given.stateBefore, given.stateBefore]);
          }
          // A `readState` of two requests may see an intermediate state, so its result is not compared.
          const concurrentRead = 'stateBefore' in given ? given.readState(subject()) : undefined;
          expect(await attempt(() => given.call(subject()), [given.firstOutcome]), 'outcome').to.deep.equal(
            given.firstOutcome,
          );
          await concurrentRead;
          await faults().restore();
          expect(await given.readState(subject()), 'state after the call').to.deep.equal(given.stateAfter);
        });
      });
    }
    more?.(faults);
  });
