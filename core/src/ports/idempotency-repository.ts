import type { KeyedRequest, KeyState } from '../idempotency/keyed-request.ts';
import type { Instant } from '../units.ts';

/** Remembers requests by the keys that clients chose, per account. Each call is durable before it resolves. */
export interface IdempotencyRepository {
  /**
   * Takes the key for this request: `begun` if it is free (never taken, released, or `expiresAt <= now`), with the
   * `resourceId` given; or if it is held by the same request with `heldUntil <= now`, with the `resourceId` of the first,
   * and held anew, with the new `heldUntil` and `expiresAt`. Otherwise `other` if its fingerprint differs, `answered`, or `held`. Of concurrent calls one begins.
   */
  begin(request: KeyedRequest, now: Instant): Promise<KeyState>;
  /** Stores the answer of a request that was begun. A key that is answered, or not held, stays as it is. */
  answer(accountId: string, key: string, answer: string): Promise<void>;
  /** Frees a key that is held, as its request was refused. A key that is answered stays as it is. */
  release(accountId: string, key: string): Promise<void>;
  /** Forgets all keys of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Forgets keys with `expiresAt <= now`; resolves with how many. */
  removeExpired(now: Instant): Promise<number>;
}
