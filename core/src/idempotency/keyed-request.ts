import type { Instant } from '../units.ts';

/** A request that is to be carried out once, under a key that its client chose. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  readonly fingerprint: string; // what the request asks for; another one under the same key is another request
  readonly resourceId: string; // of what the request is to make
  readonly heldUntil: Instant; // from then on the request may be taken over, as its process has probably died
  readonly expiresAt: Instant; // from then on the key is free again
}

/** How a key is found. */
export type KeyState =
  | { readonly kind: 'begun'; readonly resourceId: string } // carry it out, and make this resource
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'held'; readonly until: Instant }
  | { readonly kind: 'other' };
