import type { Cancellation } from '../units.ts';

/** Lets a few tasks run at once in this process, fairly over those who ask. */
export interface FairLimit {
  /**
   * Runs `task` when there is a place, and resolves or throws as it does. Those who wait are served in turn over their
   * owners, each owner's own in the order of the calls. Throws `RATE_LIMITED` with `retryAfterMs` at once if as many tasks
   * of this owner wait already as may; other owners' do not count, nor do those that run. Throws the reason of `signal` at
   * once if it is aborted before the task runs, which it then never does; a task that runs is left to itself.
   */
  run<T>(ownerId: string, task: () => Promise<T>, signal: Cancellation): Promise<T>;
}
