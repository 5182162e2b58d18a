import { ACCESS_TOKEN_TTL_MS, beginSession, type Session, type TokenPair } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';

/** A new access token of a session, together with its refresh token. */
export const tokenPair =
  ({ accessTokens, clock }: Pick<Ports, 'accessTokens' | 'clock'>) =>
  ({ id: sessionId, accountId }: Session, refreshToken: string): TokenPair => {
    const now = clock.now();
    return {
      accessToken: accessTokens.sign({ accountId, sessionId }, now, plusMs(now, ACCESS_TOKEN_TTL_MS)),
      refreshToken,
      expiresInS: ACCESS_TOKEN_TTL_MS / 1000,
    };
  };

/** Starts a session of an account and returns its first tokens. */
export const openSession =
  (ports: Pick<Ports, 'sessions' | 'accessTokens' | 'secretTokens' | 'ids' | 'clock'>) =>
  async (accountId: string): Promise<{ session: Session; tokens: TokenPair }> => {
    const { sessions, secretTokens, ids, clock } = ports;
    const refreshToken = secretTokens.next();
    const session = beginSession(ids.next(), accountId, secretTokens.digest(refreshToken), clock.now());
    await sessions.add(session);
    return { session, tokens: tokenPair(ports)(session, refreshToken) };
  };
