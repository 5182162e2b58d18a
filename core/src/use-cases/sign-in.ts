import { canonicalEmail } from '../account/email.ts';
import { offeredPassword } from '../account/password.ts';
import { ACCESS_TOKEN_TTL_MS, beginSession } from '../account/session.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import { plusMs } from '../units.ts';

/** What a signed-in client gets. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInS: number; // of the access token
}

const canonicalOrUnknown = (email: string): string | undefined => {
  try {
    return canonicalEmail(email);
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return undefined;
    throw error;
  }
};

/** Begins a session. An unknown address and a wrong password throw the same `INVALID_CREDENTIALS`, in the same time. */
export const signIn =
  ({
    accounts,
    passwordHasher,
    sessions,
    accessTokens,
    secretTokens,
    ids,
    clock,
  }: Pick<Ports, 'accounts' | 'passwordHasher' | 'sessions' | 'accessTokens' | 'secretTokens' | 'ids' | 'clock'>) =>
  async (given: { readonly email: string; readonly password: string }): Promise<TokenPair> => {
    const email = canonicalOrUnknown(given.email);
    const account = email === undefined ? undefined : await accounts.findByEmail(email);
    const right = await passwordHasher.verify(offeredPassword(given.password), account?.passwordHash);
    if (!account || !right) throw new AppError('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong.');
    const now = clock.now();
    const refreshToken = secretTokens.next();
    const session = beginSession(ids.next(), account.id, secretTokens.digest(refreshToken), now);
    await sessions.add(session);
    const claims = { accountId: account.id, sessionId: session.id };
    return {
      accessToken: accessTokens.sign(claims, now, plusMs(now, ACCESS_TOKEN_TTL_MS)),
      refreshToken,
      expiresInS: ACCESS_TOKEN_TTL_MS / 1000,
    };
  };
