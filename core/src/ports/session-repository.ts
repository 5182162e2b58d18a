import type { Rotation, Session, SessionOfToken } from '../account/session.ts';
import type { Instant } from '../units.ts';

/** Keeps sign-in sessions. Refresh tokens are here only as SHA-256 digests. */
export interface SessionRepository {
  /** Stores a new session, durably before it resolves. A taken id is a `TypeError`. */
  add(session: Session): Promise<void>;
  /** The session with this id, expired or not; `undefined` if there is none. Any string may be asked for. */
  find(id: string): Promise<Session | undefined>;
  /**
   * The session that the refresh token with this digest belongs to, in force or used up, expired or not; `undefined` if
   * there is none.
   */
  findByRefreshToken(digest: string): Promise<SessionOfToken | undefined>;
  /**
   * Puts the token `to` in place of `from` and sets the expiry of the session, atomically and durably. `false`, and
   * nothing is changed, if `from` is not the one in force or the session is gone; of concurrent calls with one `from`
   * exactly one gets `true`. Of the tokens that a session has used up, the newest 1,000 at least are remembered.
   */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  /** Ends a session and all its tokens. Ending what is gone succeeds. */
  remove(id: string): Promise<void>;
  /** Ends all sessions of an account, but the one with `exceptId` if that is given. */
  removeAllOf(accountId: string, exceptId?: string): Promise<void>;
  /**
   * Removes sessions with `expiresAt <= now`; resolves with how many. Tokens used up while their session would have
   * expired by now are forgotten too.
   */
  removeExpired(now: Instant): Promise<number>;
}
