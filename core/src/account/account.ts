import type { Instant } from '../units.ts';

/** A user of the service. */
export interface Account {
  readonly id: string;
  readonly email: string; // in canonical form
  readonly passwordHash: string;
  readonly emailVerified: boolean;
  readonly createdAt: Instant;
}

/** An account that was closed and whose data is being removed. */
export interface ClosedAccount {
  readonly id: string;
  readonly closedAt: Instant;
}
