import type { Instant } from '../units.ts';

/** The system time. */
export interface Clock {
  /** The current time. Never earlier than an earlier result in the same process. */
  now(): Instant;
}
