import { invalidOrExpiredToken } from '../../account/account-token.ts';
import { newPassword } from '../../account/password.ts';
import type { Ports } from '../../ports/index.ts';
import { notifyByMail } from '../mail/request-mail.ts';
import { findMailedToken } from './find-mailed-token.ts';

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
