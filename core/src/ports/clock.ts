import type { Instant } from '../units.ts';

/** The time of day. */
export interface Clock {
  /** Now. Never earlier than an answer it gave before in the same process. */
  now(): Instant;
}
