import { invalidCredentials, newPassword } from '../../account/password.ts';
import type { AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { notifyByMail } from '../mail/request-mail.ts';
import { confirmPassword } from './confirm-password.ts';

type Needs =
  | 'accountTokens'
  | 'secretTokens'
  | 'accounts'
  | 'sessions'
  | 'passwordHasher'
  | 'rateCounters'
  | 'jobs'
  | 'ids'
  | 'clock'
  | 'faults';

/**
 * Replaces the reset token by a token that is not mailed. Earlier links stop working, also links that still wait to be
 * mailed.
 */
const invalidateResetLinks =
  ({ accountTokens, secretTokens, clock }: Pick<Ports, 'accountTokens' | 'secretTokens' | 'clock'>) =>
  async (accountId: string): Promise<void> => {
    const now = clock.now();
    const digest = secretTokens.digest(secretTokens.next());
    await accountTokens.issue({ accountId, purpose: 'reset-password', digest, requestedAt: now, expiresAt: now });
  };

/**
 * Changes the caller's password, ends all other sessions of the account, invalidates all reset links, and notifies the
 * owner by mail. Throws `VALIDATION_ERROR`, `INVALID_CREDENTIALS` if the current password is wrong, or `RATE_LIMITED`.
 */
export const changePassword = (ports: Pick<Ports, Needs>) => {
  const { accounts, sessions, passwordHasher } = ports;
  const confirm = confirmPassword(ports);
  return async (
    caller: AccessClaims,
    given: { readonly currentPassword: string; readonly password: string },
    source: RequestSource,
  ): Promise<void> => {
    const account = await confirm(caller, given.currentPassword, source);
    const passwordHash = await passwordHasher.hash(newPassword(given.password, account.email));
    // Sessions also end before the change, so that no session survives if the process dies right after the change.
    await sessions.removeAllOf(account.id, caller.sessionId);
    if (!(await accounts.changePassword(account.id, account.passwordHash, passwordHash))) {
      throw invalidCredentials('Another request changed the password at the same time.');
    }
    await sessions.removeAllOf(account.id, caller.sessionId);
    await invalidateResetLinks(ports)(account.id);
    await notifyByMail(ports)({ mail: 'password-changed', accountId: account.id });
  };
};
