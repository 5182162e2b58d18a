import type { Bucket, Storage } from '@google-cloud/storage';
import { untilAborted } from '@palimpsest/core';
import pRetry from 'p-retry';
import { withAbortableRequests } from './abortable-requests.ts';
import { faultOf, TransientFault, unavailable } from './errors.ts';
import type { GcsTiming } from './timing.ts';

type Work<T> = (bucket: Bucket, onProgress: () => void) => Promise<T>;

/** The client of one bucket, with timeouts and retries. */
export class GcsClient {
  readonly timing: GcsTiming;
  readonly #bucket: Bucket;

  /** `storage` must have `autoRetry: false`, because the client's own retries have no timeout for an attempt. */
  constructor(storage: Storage, bucket: string, timing: GcsTiming) {
    this.timing = timing;
    this.#bucket = storage.bucket(bucket);
    // With `forever`, the client has its own agent. When one download ends early, it destroys all connections of this
    // agent. Without `forever`, it uses the global agent of Node, which also keeps connections alive.
    storage.interceptors.push({ request: (options) => ({ uri: '', ...options, forever: false }) });
  }

  /**
   * Runs `work` once. Aborts its requests through `controller` when it takes longer than the attempt timeout, which
   * starts again whenever `work` calls `onProgress`. Throws {@link TransientFault} if a retry may succeed, otherwise
   * what {@link faultOf} returns.
   */
  async attempt<T>(work: Work<T>, { attemptTimeoutMs }: GcsTiming, controller: AbortController): Promise<T> {
    const timeout = new TransientFault(`No answer within ${attemptTimeoutMs} ms`);
    const timer = setTimeout(() => controller.abort(timeout), attemptTimeoutMs);
    const { signal } = controller;
    try {
      return await untilAborted(
        withAbortableRequests(signal, () => work(this.#bucket, () => timer.refresh())),
        signal,
      );
    } catch (error) {
      throw faultOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs `work`, and again after each {@link TransientFault}. Throws `SERVICE_UNAVAILABLE` after the last attempt. */
  async call<T>(work: Work<T>, timing: GcsTiming = this.timing): Promise<T> {
    return await this.retry(() => this.attempt(work, timing, new AbortController()), timing);
  }

  /**
   * Runs `attempt`, and again after each {@link TransientFault}. Throws `SERVICE_UNAVAILABLE` after the last attempt.
   */
  async retry<T>(attempt: () => Promise<T>, timing: GcsTiming = this.timing): Promise<T> {
    try {
      return await pRetry(attempt, {
        retries: timing.retries,
        maxRetryTime: timing.totalMs,
        minTimeout: timing.firstDelayMs,
        maxTimeout: timing.maxDelayMs,
        randomize: true,
        shouldRetry: ({ error }) => error instanceof TransientFault,
      });
    } catch (error) {
      throw error instanceof TransientFault ? unavailable(error) : error;
    }
  }
}
