import type { KeyedRequest, KeyState } from '../idempotency/keyed-request.ts';
import type { Instant } from '../units.ts';

/** Stores requests by the idempotency keys that clients chose, per account. Each call is durable before it resolves. */
export interface IdempotencyRepository {
  /**
   * Reserves the key for this request. The result is:
   *
   * - `begun` with the given `resourceId`, if the key is free (never used, released, or `expiresAt <= now`);
   * - `other`, if the stored request has another fingerprint;
   * - `answered`, if the same request has an answer;
   * - `held`, if the same request has no answer yet and `heldUntil > now`;
   * - `begun` with the `resourceId` of the first request, if the same request has no answer and `heldUntil <= now`. The
   *   new `heldUntil` and `expiresAt` are stored.
   *
   * Of several concurrent calls exactly one gets `begun`.
   */
  begin(request: KeyedRequest, now: Instant): Promise<KeyState>;
  /** Stores the answer of a request that was begun. No effect on a key that has an answer or is free. */
  answer(accountId: string, key: string, answer: string): Promise<void>;
  /** Frees a key without an answer, because its request was refused. No effect on a key that has an answer. */
  release(accountId: string, key: string): Promise<void>;
  /** Removes all keys of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Removes keys with `expiresAt <= now`; resolves with their number. */
  removeExpired(now: Instant): Promise<number>;
}
