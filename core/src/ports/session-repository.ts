import type { Session } from '../account/session.ts';
import type { Instant } from '../units.ts';

/** Keeps sign-in sessions. Refresh tokens are here only as SHA-256 digests. */
export interface SessionRepository {
  /** Stores a new session, durably before it resolves. A taken id is a `TypeError`. */
  add(session: Session): Promise<void>;
  /** The session with this id, expired or not; `undefined` if there is none. Any string may be asked for. */
  find(id: string): Promise<Session | undefined>;
  /** Ends a session. Ending what is gone succeeds. */
  remove(id: string): Promise<void>;
  /** Ends all sessions of an account. */
  removeAllOf(accountId: string): Promise<void>;
  /** Removes sessions with `expiresAt <= now`; resolves with how many. */
  removeExpired(now: Instant): Promise<number>;
}
