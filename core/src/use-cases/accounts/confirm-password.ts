import type { Account } from '../../account/account.ts';
import { enteredPassword, invalidCredentials } from '../../account/password.ts';
import type { AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { findOwnAccount } from './find-own-account.ts';
import { passwordAttempt } from './password-attempt.ts';

/**
 * The account of a signed-in caller, if the password is right. Throws `INVALID_CREDENTIALS` if it is wrong,
 * `RATE_LIMITED` after three wrong passwords, or `INVALID_TOKEN` if the account was closed.
 */
export const confirmPassword = (ports: Pick<Ports, 'accounts' | 'passwordHasher' | 'rateCounters' | 'clock'>) => {
  const attempt = passwordAttempt(ports);
  return async (
    { accountId }: Pick<AccessClaims, 'accountId'>,
    password: string,
    source: RequestSource,
  ): Promise<Account> => {
    const account = await findOwnAccount(ports)({ accountId });
    const guess = { subject: `confirm ${accountId}`, ...(source.onLimits && { onLimits: source.onLimits }) };
    const confirmed = await attempt(guess, async () =>
      (await ports.passwordHasher.verify(enteredPassword(password), account.passwordHash)) ? account : undefined,
    );
    if (!confirmed) throw invalidCredentials('The password is wrong.');
    return confirmed;
  };
};
