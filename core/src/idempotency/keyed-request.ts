import type { Instant } from '../units.ts';

/** A request that must be executed only once. The client chose its key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  readonly fingerprint: string; // of the request's content; the same key with another fingerprint is another request
  readonly resourceId: string; // of the resource that the request creates
  readonly heldUntil: Instant; // from then on another process may execute the request, because its process has probably died
  readonly expiresAt: Instant; // from then on the key is free again
}

/** The state of an idempotency key after `begin`. */
export type KeyState =
  | { readonly kind: 'begun'; readonly resourceId: string } // the caller executes the request and creates this resource
  | { readonly kind: 'answered'; readonly answer: string } // the request was executed before
  | { readonly kind: 'held'; readonly until: Instant } // another caller executes the request now
  | { readonly kind: 'other' }; // the key belongs to another request
