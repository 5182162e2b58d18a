import { RateLimiterRes } from 'rate-limiter-flexible';

/**
 * What a limiter has counted under a key, with the moment at which its window ends. The `msBeforeNext` of a result alone
 * does not tell that moment, because it runs from one that the caller does not know.
 */
export class WindowRes extends RateLimiterRes {
  readonly endsAtMs: number; // since the epoch

  constructor(count: number, endsAtMs: number) {
    super(0, Math.max(endsAtMs - Date.now(), 0), count, count === 1);
    this.endsAtMs = endsAtMs;
  }
}
