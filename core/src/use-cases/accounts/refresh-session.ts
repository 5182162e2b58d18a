import { REFRESH_TOKEN_TTL_MS, classifyRefresh, type Session, type TokenPair } from '../../account/session.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';
import { tokenPair } from './open-session.ts';

const MAX_SUCCESSORS = 100;

const refused = (): AppError =>
  new AppError('INVALID_REFRESH_TOKEN', 'The refresh token is not valid any more. Sign in again.');

/**
 * Returns new tokens for a refresh token, and marks it as used. Each refresh token has one successor, which is derived
 * from it: a client that repeats its request, or sends it several times at once, always gets the same working token,
 * and only one token is current. A second use more than 10 s after the first one ends the session (RFC 9700, section
 * 4.14.2). Throws `INVALID_REFRESH_TOKEN`.
 */
export const refreshSession = (
  ports: Pick<Ports, 'sessions' | 'secretTokens' | 'accessTokens' | 'clock' | 'faults'>,
): ((refreshToken: string) => Promise<TokenPair>) => {
  const { sessions, secretTokens, clock, faults } = ports;
  const successorOf = (token: string): string => secretTokens.derive(`refresh ${token}`);

  const currentToken = (session: Session, used: string): string => {
    let token = used;
    for (let i = 0; i < MAX_SUCCESSORS; i++) {
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
    switch (classifyRefresh(session, usedAt, now)) {
      case 'expired':
        throw refused();
      case 'reused':
        await sessions.remove(session.id);
        faults.report(refused(), `refresh token of session ${session.id} was reused; the session has been ended`);
        throw refused();
      case 'repeated':
        return tokenPair(ports)(session, currentToken(session, token));
      case 'rotate': {
        const next = successorOf(token);
        const rotation = {
          from: digest,
          to: secretTokens.digest(next),
          usedAt: now,
          expiresAt: plusMs(now, REFRESH_TOKEN_TTL_MS),
        };
        // A concurrent request was faster: now the token is used, or its session has ended.
        if (!(await sessions.rotate(session.id, rotation))) return refresh(token);
        return tokenPair(ports)(session, next);
      }
    }
  };
  return refresh;
};
