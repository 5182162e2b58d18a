import { invalidAccessToken, type AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * The claims of an access token. Throws `TOKEN_EXPIRED`, or `INVALID_TOKEN` if another issuer signed it or its session
 * has ended.
 */
export const authenticate =
  ({ accessTokens, sessions, clock }: Pick<Ports, 'accessTokens' | 'sessions' | 'clock'>) =>
  async (token: string): Promise<AccessClaims> => {
    const now = clock.now();
    const claims = accessTokens.verify(token, now);
    const session = await sessions.find(claims.sessionId);
    if (!session || session.accountId !== claims.accountId || session.expiresAt <= now) {
      throw invalidAccessToken();
    }
    return claims;
  };
