import type { Account } from '../../account/account.ts';
import { invalidAccessToken, type AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';

/** The account of the caller. Throws `INVALID_TOKEN` if it was closed. */
export const findOwnAccount =
  ({ accounts }: Pick<Ports, 'accounts'>) =>
  async ({ accountId }: Pick<AccessClaims, 'accountId'>): Promise<Account> => {
    const account = await accounts.find(accountId);
    if (!account) throw invalidAccessToken();
    return account;
  };
