import type { AccountToken, TokenPurpose } from '../../account/account-token.ts';
import type { Account } from '../../account/account.ts';
import type { AccessClaims } from '../../account/session.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';

/** The error for a mailed token that is not valid. */
export const invalidOrExpiredToken = (): AppError =>
  new AppError(
    'INVALID_OR_EXPIRED_TOKEN',
    'This link was used already, has expired, or was replaced by a newer one. Ask for a new one.',
  );

/** A valid mailed token and its account, otherwise throws `INVALID_OR_EXPIRED_TOKEN`. */
export const findMailedToken =
  ({
    accountTokens,
    accounts,
    secretTokens,
    clock,
  }: Pick<Ports, 'accountTokens' | 'accounts' | 'secretTokens' | 'clock'>) =>
  async (secret: string, purpose: TokenPurpose): Promise<{ token: AccountToken; account: Account }> => {
    const token = await accountTokens.find(secretTokens.digest(secret), purpose);
    if (!token || token.expiresAt <= clock.now()) throw invalidOrExpiredToken();
    const account = await accounts.find(token.accountId);
    if (!account) throw invalidOrExpiredToken();
    return { token, account };
  };

/** Marks an address as verified with the token that was mailed to it. Throws `INVALID_OR_EXPIRED_TOKEN`. */
export const verifyEmail =
  (ports: Pick<Ports, 'accountTokens' | 'accounts' | 'secretTokens' | 'clock'>) =>
  async (secret: string): Promise<void> => {
    const { token, account } = await findMailedToken(ports)(secret, 'verify-email');
    // The address is marked first, so that the token stays valid if that fails.
    await ports.accounts.verifyEmail(account.id);
    if (!(await ports.accountTokens.spend(token.digest, 'verify-email'))) throw invalidOrExpiredToken();
  };

/** Mails a new link to an unverified address. Throws `RATE_LIMITED`. */
export const resendVerification = (ports: Pick<Ports, 'rateCounters' | 'jobs' | 'ids' | 'clock'>) => {
  const limited = limitedRequest(ports);
  return async ({ accountId }: Pick<AccessClaims, 'accountId'>, source: RequestSource): Promise<void> => {
    const checks = [rateRules.verificationsPerMinute, rateRules.verificationsPerHour].map((rule) => ({
      rule,
      subject: accountId,
    }));
    await limited(checks, source, () => requestMail(ports)({ mail: 'verify-email', accountId }));
  };
};
