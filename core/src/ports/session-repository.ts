import type { Rotation, Session, SessionOfToken } from '../account/session.ts';
import type { Instant } from '../units.ts';

/** Stores sessions. Refresh tokens are stored only as SHA-256 digests. */
export interface SessionRepository {
  /** Stores a new session, durably before it resolves. An id that is taken is a `TypeError`. */
  add(session: Session): Promise<void>;
  /** The session with this id, also if it has expired; `undefined` if it does not exist. Any string is allowed. */
  find(id: string): Promise<Session | undefined>;
  /**
   * The session of the refresh token with this digest, also if the token was used or the session has expired;
   * `undefined` if it does not exist.
   */
  findByRefreshToken(digest: string): Promise<SessionOfToken | undefined>;
  /**
   * Replaces the refresh token `from` by `to` and sets the expiry of the session, atomically and durably. Returns
   * `false` and changes nothing if `from` is not the current token or the session does not exist. Of several concurrent
   * calls with the same `from` exactly one returns `true`. At least the newest 1,000 used tokens of a session stay
   * stored.
   */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  /** Ends a session and all its tokens. Ending a session that does not exist succeeds. */
  remove(id: string): Promise<void>;
  /** Ends all sessions of an account, except the one with `exceptId` if that is given. */
  removeAllOf(accountId: string, exceptId?: string): Promise<void>;
  /**
   * Removes sessions with `expiresAt <= now` and resolves with their number. Also removes a used token if the
   * `expiresAt` that its session had when the token was used is not after `now`.
   */
  removeExpired(now: Instant): Promise<number>;
}
