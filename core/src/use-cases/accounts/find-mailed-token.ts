import { invalidOrExpiredToken, type AccountToken, type TokenPurpose } from '../../account/account-token.ts';
import type { Account } from '../../account/account.ts';
import type { Ports } from '../../ports/index.ts';

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
