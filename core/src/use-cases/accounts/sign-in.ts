import type { Account } from '../../account/account.ts';
import { canonicalEmail } from '../../account/email.ts';
import { enteredPassword, invalidCredentials } from '../../account/password.ts';
import type { TokenPair } from '../../account/session.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { openSession } from './open-session.ts';
import { passwordAttempt } from './password-attempt.ts';

const canonicalOrUnknown = (email: string): string | undefined => {
  try {
    return canonicalEmail(email);
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return undefined;
    throw error;
  }
};

/**
 * Starts a session. An unknown address and a wrong password throw the same `INVALID_CREDENTIALS` after the same time.
 * Throws `RATE_LIMITED` after three wrong passwords from one client for one address, after 100 wrong passwords from one
 * client, and after 50 for one address (see `rateRules`), also if no account has the address.
 */
export const signIn = (
  ports: Pick<
    Ports,
    'accounts' | 'passwordHasher' | 'sessions' | 'accessTokens' | 'secretTokens' | 'rateCounters' | 'ids' | 'clock'
  >,
) => {
  const { accounts, passwordHasher, sessions, secretTokens } = ports;
  const attempt = passwordAttempt(ports);
  return async (
    given: { readonly email: string; readonly password: string },
    source: RequestSource,
  ): Promise<TokenPair> => {
    const email = canonicalOrUnknown(given.email);
    const emailDigest = secretTokens.digest(email ?? given.email.trim().toLowerCase());
    const guess = {
      subject: `login ${emailDigest} ${source.client}`,
      checks: [
        { rule: rateRules.loginFailuresPerClient, subject: source.client },
        { rule: rateRules.loginFailuresPerEmail, subject: emailDigest },
      ],
      ...(source.onLimits && { onLimits: source.onLimits }),
    };
    const account = await attempt(guess, async (): Promise<Account | undefined> => {
      const found = email === undefined ? undefined : await accounts.findByEmail(email);
      return (await passwordHasher.verify(enteredPassword(given.password), found?.passwordHash)) ? found : undefined;
    });
    if (!account) throw invalidCredentials();
    const { session, tokens } = await openSession(ports)(account.id);
    // If the password was changed or the account closed after the check, its sessions were ended before this one
    // started.
    if ((await accounts.find(account.id))?.passwordHash !== account.passwordHash) {
      await sessions.remove(session.id);
      throw invalidCredentials();
    }
    return tokens;
  };
};
