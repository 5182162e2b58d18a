import { REFRESH_TOKEN_TTL_MS, refreshVerdict, type Session } from '../../account/session.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';
import { tokenPair, type TokenPair } from './open-session.ts';

const MOST_REPEATS = 100;

const refused = (): AppError =>
  new AppError('INVALID_REFRESH_TOKEN', 'The refresh token is not valid any more. Sign in again.');

/**
 * Gives new tokens for a refresh token, which is used up by it. Each token has one successor, derived from it, so that a
 * client that repeats its request, or sends it many times at once, gets the same working token each time, and one alone
 * is in force. The use of a token that was used up more than 10 s ago ends its session (RFC 9700, section 4.14.2). Throws
 * `INVALID_REFRESH_TOKEN`.
 */
export const refreshSession = (
  ports: Pick<Ports, 'sessions' | 'secretTokens' | 'accessTokens' | 'clock' | 'faults'>,
): ((refreshToken: string) => Promise<TokenPair>) => {
  const { sessions, secretTokens, clock, faults } = ports;
  const successorOf = (token: string): string => secretTokens.derive(`refresh ${token}`);

  const tokenInForce = (session: Session, used: string): string => {
    let token = used;
    for (let i = 0; i < MOST_REPEATS; i++) {
      token = successorOf(token);
      if (secretTokens.digest(token) === session.refreshTokenDigest) return token;
    }
    throw refused();
  };

  const refresh = async (token: string): Promise<TokenPair> => {
    const digest = secretTokens.digest(token);
    const found = await sessions.findByRefreshToken(digest);
    if (!found) throw refused();
    const { session, usedAt } = found;
    const now = clock.now();
    switch (refreshVerdict(session, usedAt, now)) {
      case 'expired':
        throw refused();
      case 'reused':
        await sessions.remove(session.id);
        faults.report(refused(), `a refresh token of session ${session.id} was used again; the session is ended`);
        throw refused();
      case 'repeated':
        return tokenPair(ports)(session, tokenInForce(session, token));
      case 'rotate': {
        const next = successorOf(token);
        const rotation = {
          from: digest,
          to: secretTokens.digest(next),
          usedAt: now,
          expiresAt: plusMs(now, REFRESH_TOKEN_TTL_MS),
        };
        // Somebody else was faster: the token is found used now, or its session is gone.
        if (!(await sessions.rotate(session.id, rotation))) return refresh(token);
        return tokenPair(ports)(session, next);
      }
    }
  };
  return refresh;
};
