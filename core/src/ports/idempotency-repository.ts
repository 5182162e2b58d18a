import type { KeyedRequest, KeyState } from '../idempotency/keyed-request.ts';
import type { Instant } from '../units.ts';

/** Stores requests by the idempotency keys that clients chose, per account. Each call is durable before it resolves. */
export interface IdempotencyRepository {
  /**
   * Takes the key for this request. `begun` with the given `resourceId` if the key is free (never taken, released, or
   * `expiresAt <= now`). `begun` with the `resourceId` of the first request, and with the new `heldUntil` and
   * `expiresAt`, if the same request holds the key with `heldUntil <= now`. Otherwise `other` if the fingerprint
   * differs, `answered`, or `held`. Of concurrent calls exactly one begins.
   */
  begin(request: KeyedRequest, now: Instant): Promise<KeyState>;
  /** Stores the answer of a request that was begun. No effect on a key that is answered or not held. */
  answer(accountId: string, key: string, answer: string): Promise<void>;
  /** Frees a key that is held, because its request was refused. No effect on a key that is answered. */
  release(accountId: string, key: string): Promise<void>;
  /** Forgets all keys of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Forgets keys with `expiresAt <= now`; resolves with their number. */
  removeExpired(now: Instant): Promise<number>;
}
