import type { Instant } from '../units.ts';

/** A user of the service. */
export interface Account {
  readonly id: string;
  readonly email: string; // in canonical form
  readonly passwordHash: string;
  readonly emailVerified: boolean;
  readonly createdAt: Instant;
}
