import { invalidOrExpiredToken } from '../../account/account-token.ts';
import type { Ports } from '../../ports/index.ts';
import { findMailedToken } from './find-mailed-token.ts';

/** Marks an address as verified with the token that was mailed to it. Throws `INVALID_OR_EXPIRED_TOKEN`. */
export const verifyEmail =
  (ports: Pick<Ports, 'accountTokens' | 'accounts' | 'secretTokens' | 'clock'>) =>
  async (secret: string): Promise<void> => {
    const { token, account } = await findMailedToken(ports)(secret, 'verify-email');
    // The address is marked first, so that the token stays valid if that fails.
    await ports.accounts.verifyEmail(account.id);
    if (!(await ports.accountTokens.spend(token.digest, 'verify-email'))) throw invalidOrExpiredToken();
  };
