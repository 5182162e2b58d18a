import { canonicalEmail } from '../account/email.ts';
import { newPassword } from '../account/password.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Makes an account that can sign in at once. A taken address changes nothing and takes as long, so that the answer does
 * not tell whether an address is known. Throws `VALIDATION_ERROR`.
 */
export const registerAccount =
  ({ accounts, passwordHasher, ids, clock }: Pick<Ports, 'accounts' | 'passwordHasher' | 'ids' | 'clock'>) =>
  async (given: { readonly email: string; readonly password: string }): Promise<'registered' | 'taken'> => {
    const email = canonicalEmail(given.email);
    const passwordHash = await passwordHasher.hash(newPassword(given.password));
    const account = { id: ids.next(), email, passwordHash, emailVerified: false, createdAt: clock.now() };
    return (await accounts.add(account)) ? 'registered' : 'taken';
  };
