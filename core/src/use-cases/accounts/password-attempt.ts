import { keyLock } from '../../concurrency/key-lock.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { FAILURE_MEMORY_MS, FREE_FAILURES, LONGEST_BLOCK_MS, passwordBlockMs } from '../../rate-limit/back-off.ts';
import { rateLimited, type CountedWindow, type LimitState, type RequestSource } from '../../rate-limit/limit-state.ts';
import type { Instant } from '../../units.ts';
import { countRequest, soundWindows, type CountedRequest, type RateCheck } from '../requests/count-request.ts';
import { undecidedAttempts } from './undecided-attempts.ts';

/** Whose password is tried, and what else is counted with each failure. */
export interface PasswordGuess {
  readonly subject: string;
  readonly checks?: readonly RateCheck[];
  readonly onLimits?: RequestSource['onLimits'];
}

const POLICY = 'password';

/** An attempt that was let through. */
interface Admission {
  readonly state: LimitState;
  /** Makes as if it had not been, as it was never decided. */
  undo(): Promise<void>;
}

/**
 * Lets passwords be tried: after three wrong ones each further one must wait (`passwordBlockMs`), and while it must, even the
 * right one is `RATE_LIMITED`. Every attempt counts as a failure from the moment that it is let through until it has
 * proved right, so that attempts side by side cannot slip past, in however many processes. One that is never decided,
 * as the check throws, does not count.
 *
 * The count of attempts and the window of the block are two counters. The third attempt and those after it are let
 * through only if they open the window of the block, which one of them alone does; a third counter knows how many did,
 * and so how long the next block is.
 */
export const passwordAttempt = (ports: Pick<Ports, 'rateCounters' | 'clock'>) => {
  const { rateCounters, clock } = ports;
  const windows = soundWindows(ports);
  const count = countRequest(ports);
  const lock = keyLock();
  const undecided = undecidedAttempts();

  const stateAt = (failures: number, freeAgainAt?: Instant): LimitState => ({
    name: POLICY,
    max: FREE_FAILURES,
    windowMs: FAILURE_MEMORY_MS,
    remaining: Math.max(FREE_FAILURES - failures, 0),
    resetMs: freeAgainAt === undefined ? FAILURE_MEMORY_MS : Math.max((freeAgainAt - clock.now()) / 1000, 0),
  });

  const admit = async (subject: string, refuse: (block: CountedWindow) => Promise<never>): Promise<Admission> => {
    const tries = await windows.hit(`tries ${subject}`, FAILURE_MEMORY_MS);
    const undoTry = (): Promise<void> => rateCounters.takeBack(`tries ${subject}`);
    if (tries.count < FREE_FAILURES) return { state: stateAt(tries.count, tries.endsAt), undo: undoTry };
    const blocksBefore = (await windows.peek(`blocks ${subject}`, FAILURE_MEMORY_MS))?.count ?? 0;
    const block = await windows.hit(`block ${subject}`, passwordBlockMs(FREE_FAILURES + blocksBefore));
    if (block.count > 1) {
      await undoTry();
      return refuse(block);
    }
    await windows.hit(`blocks ${subject}`, FAILURE_MEMORY_MS);
    return {
      state: stateAt(tries.count, block.endsAt),
      undo: async () => {
        await rateCounters.clear(`block ${subject}`);
        await rateCounters.takeBack(`blocks ${subject}`);
        await undoTry();
      },
    };
  };

  const forgetFailures = async (subject: string): Promise<void> => {
    for (const kind of ['block', 'blocks', 'tries']) await rateCounters.clear(`${kind} ${subject}`);
  };

  /** Counts an attempt. What is full of attempts that are not decided yet is waited for: they may all be right. */
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
      let own = stateAt(block ? FREE_FAILURES : 0, block?.endsAt);
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
          own = stateAt(FREE_FAILURES, window.endsAt);
          report();
          await counted.giveBack();
          throw rateLimited(window.endsAt, clock.now());
        });
        own = admission.state;
        report();
        let result: T | undefined;
        try {
          result = await check();
        } catch (error) {
          await admission.undo();
          await counted.giveBack();
          throw error;
        }
        if (result === undefined) return undefined;
        await forgetFailures(subject);
        await counted.giveBack();
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
