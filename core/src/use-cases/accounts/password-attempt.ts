import { keyLock } from '../../concurrency/key-lock.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import {
  FAILURE_MEMORY_MS,
  FAILURES_BEFORE_BLOCK,
  LONGEST_BLOCK_MS,
  passwordBlockMs,
} from '../../rate-limit/back-off.ts';
import { rateLimited, type CountedWindow, type LimitState, type RequestSource } from '../../rate-limit/limit-state.ts';
import type { RateCheck } from '../../rate-limit/rate-check.ts';
import { undecidedAttempts } from '../../rate-limit/undecided-attempts.ts';
import type { Instant } from '../../units.ts';
import { countRequest, plausibleWindows, type CountedRequest } from '../requests/count-request.ts';

/** A password attempt: failures are counted for its `subject`, and by the further rules of `checks`. */
export interface PasswordGuess {
  readonly subject: string;
  readonly checks?: readonly RateCheck[];
  readonly onLimits?: RequestSource['onLimits'];
}

const POLICY = 'password';

/** An attempt that was admitted. */
interface Admission {
  readonly state: LimitState;
  /** Removes the attempt from the counters, because its check threw. */
  undo(): Promise<void>;
}

/**
 * Limits password attempts. After three wrong passwords, further attempts are blocked for a time (`passwordBlockMs`). A
 * blocked attempt throws `RATE_LIMITED`, even with the right password. Each attempt is counted as a failure when it is
 * admitted, and is removed from the counters if the password is right. So concurrent attempts cannot exceed the limit,
 * in any number of processes. An attempt whose check throws is not counted.
 *
 * It uses three counters. `tries` counts attempts. From the third attempt on, an attempt is admitted only if it opens
 * the window `block`; exactly one of several concurrent attempts does that. `blocks` counts these windows; it
 * determines the length of the next window.
 */
export const passwordAttempt = (ports: Pick<Ports, 'rateCounters' | 'clock'>) => {
  const { rateCounters, clock } = ports;
  const windows = plausibleWindows(ports);
  const count = countRequest(ports);
  const lock = keyLock();
  const undecided = undecidedAttempts();

  const stateAt = (failures: number, freeAgainAt?: Instant): LimitState => ({
    name: POLICY,
    max: FAILURES_BEFORE_BLOCK,
    windowMs: FAILURE_MEMORY_MS,
    remaining: Math.max(FAILURES_BEFORE_BLOCK - failures, 0),
    resetMs: freeAgainAt === undefined ? FAILURE_MEMORY_MS : Math.max((freeAgainAt - clock.now()) / 1000, 0),
  });

  const admit = async (subject: string, refuse: (block: CountedWindow) => Promise<never>): Promise<Admission> => {
    const tries = await windows.hit(`tries ${subject}`, FAILURE_MEMORY_MS);
    const undoTry = (): Promise<void> => rateCounters.decrement(`tries ${subject}`);
    if (tries.count < FAILURES_BEFORE_BLOCK) return { state: stateAt(tries.count, tries.endsAt), undo: undoTry };
    const blocksBefore = (await windows.peek(`blocks ${subject}`, FAILURE_MEMORY_MS))?.count ?? 0;
    const block = await windows.hit(`block ${subject}`, passwordBlockMs(FAILURES_BEFORE_BLOCK + blocksBefore));
    if (block.count > 1) {
      await undoTry();
      return refuse(block);
    }
    await windows.hit(`blocks ${subject}`, FAILURE_MEMORY_MS);
    return {
      state: stateAt(tries.count, block.endsAt),
      undo: async () => {
        await rateCounters.clear(`block ${subject}`);
        await rateCounters.decrement(`blocks ${subject}`);
        await undoTry();
      },
    };
  };

  const forgetFailures = async (subject: string): Promise<void> => {
    for (const kind of ['block', 'blocks', 'tries']) await rateCounters.clear(`${kind} ${subject}`);
  };

  /**
   * Counts an attempt. If a limit is reached, it waits for the running attempts: those with a right password are
   * removed from the counters.
   */
  const countOnceDecided = async (
    checks: readonly RateCheck[],
    onLimits: RequestSource['onLimits'],
    block: CountedWindow | undefined,
  ): Promise<CountedRequest> => {
    for (;;) {
      try {
        return await count(checks, onLimits, block?.endsAt);
      } catch (error) {
        const others = block === undefined && isAppError(error, 'RATE_LIMITED') ? undecided.of(checks) : [];
        if (others.length === 0) throw error;
        await Promise.allSettled(others);
      }
    }
  };

  return async <T>(
    { subject, checks = [], onLimits }: PasswordGuess,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> =>
    lock.run(subject, async () => {
      const block = await windows.peek(`block ${subject}`, LONGEST_BLOCK_MS);
      let own = stateAt(block ? FAILURES_BEFORE_BLOCK : 0, block?.endsAt);
      let others: readonly LimitState[] = [];
      const report = (): void => onLimits?.([own, ...others]);
      const counted = await countOnceDecided(
        checks,
        (states) => {
          others = states;
          report();
        },
        block,
      );

      const decide = async (): Promise<T | undefined> => {
        const admission = await admit(subject, async (window) => {
          own = stateAt(FAILURES_BEFORE_BLOCK, window.endsAt);
          report();
          await counted.undo();
          throw rateLimited(window.endsAt, clock.now());
        });
        own = admission.state;
        report();
        let result: T | undefined;
        try {
          result = await check();
        } catch (error) {
          await admission.undo();
          await counted.undo();
          throw error;
        }
        if (result === undefined) return undefined;
        await forgetFailures(subject);
        await counted.undo();
        own = stateAt(0);
        others = others.map((state) => ({ ...state, remaining: Math.min(state.remaining + 1, state.max) }));
        report();
        return result;
      };
      const decision = decide();
      undecided.add(checks, decision);
      return decision;
    });
};
