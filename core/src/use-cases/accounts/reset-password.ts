import { canonicalEmail } from '../../account/email.ts';
import { newPassword } from '../../account/password.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { notifyByMail, requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';
import { findMailedToken, invalidOrExpiredToken } from './verify-email.ts';

/**
 * Mails a reset link to an address if an account has it. The worker looks up the account when it writes the mail, so
 * that neither the response nor its duration reveals whether the account exists. Throws `VALIDATION_ERROR` for an
 * invalid address, or `RATE_LIMITED`.
 */
export const forgotPassword = (ports: Pick<Ports, 'secretTokens' | 'rateCounters' | 'jobs' | 'ids' | 'clock'>) => {
  const limited = limitedRequest(ports);
  return async (given: string, source: RequestSource): Promise<void> => {
    const email = canonicalEmail(given);
    const digest = ports.secretTokens.digest(email);
    const checks = [
      { rule: rateRules.resetsPerMinute, subject: digest },
      { rule: rateRules.resetsPerHour, subject: digest },
      { rule: rateRules.resetsPerClient, subject: source.client },
    ];
    await limited(checks, source, () => requestMail(ports)({ mail: 'reset-password', email }));
  };
};

/**
 * Sets a new password with a mailed token, ends all sessions and notifies the owner by mail. Throws `VALIDATION_ERROR`
 * if the password is refused (the token stays valid), or `INVALID_OR_EXPIRED_TOKEN`.
 */
export const resetPassword =
  (
    ports: Pick<
      Ports,
      | 'accountTokens'
      | 'accounts'
      | 'sessions'
      | 'secretTokens'
      | 'passwordHasher'
      | 'jobs'
      | 'ids'
      | 'clock'
      | 'faults'
    >,
  ) =>
  async (given: { readonly token: string; readonly password: string }): Promise<void> => {
    const { accountTokens, accounts, sessions, passwordHasher } = ports;
    const { token, account } = await findMailedToken(ports)(given.token, 'reset-password');
    const passwordHash = await passwordHasher.hash(newPassword(given.password, account.email));
    if (!(await accountTokens.spend(token.digest, 'reset-password'))) throw invalidOrExpiredToken();
    // Sessions also end before the change, so that no session survives if the process dies right after the change.
    await sessions.removeAllOf(account.id);
    let from: string | undefined = account.passwordHash;
    while (from !== undefined && !(await accounts.changePassword(account.id, from, passwordHash))) {
      from = (await accounts.find(account.id))?.passwordHash;
    }
    if (from === undefined) throw invalidOrExpiredToken();
    await sessions.removeAllOf(account.id);
    await notifyByMail(ports)({ mail: 'password-changed', accountId: account.id });
  };
