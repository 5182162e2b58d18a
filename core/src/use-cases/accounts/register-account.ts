import { canonicalEmail } from '../../account/email.ts';
import { newPassword } from '../../account/password.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';

/**
 * Creates an account that can sign in at once, and mails a verification link to its address. If the address is taken,
 * nothing changes and its owner gets a mail. Neither the response nor its duration reveals to the caller whether the
 * address is taken. Throws `VALIDATION_ERROR` or `RATE_LIMITED`; an invalid request is not counted.
 */
export const registerAccount = (
  ports: Pick<Ports, 'accounts' | 'sessions' | 'passwordHasher' | 'rateCounters' | 'jobs' | 'ids' | 'clock'>,
) => {
  const { accounts, sessions, passwordHasher, ids, clock } = ports;
  const limited = limitedRequest(ports);
  /**
   * For an address that is taken, the store would refuse the account without a write, so it would answer faster. This
   * makes a durable write instead: an expired session that belongs to no account. The cleanup job removes it.
   */
  const writeOfSameDuration = async (id: string): Promise<void> => {
    const now = clock.now();
    await sessions.add({ id, accountId: id, refreshTokenDigest: id, createdAt: now, expiresAt: now });
  };
  return async (given: { readonly email: string; readonly password: string }, source: RequestSource): Promise<void> => {
    const email = canonicalEmail(given.email);
    const password = newPassword(given.password, email);
    await limited([{ rule: rateRules.registrationsPerClient, subject: source.client }], source, async () => {
      const account = {
        id: ids.next(),
        email,
        passwordHash: await passwordHasher.hash(password),
        emailVerified: false,
        createdAt: clock.now(),
      };
      // A read and a write in both cases. If two concurrent calls find the address free, `add` lets one succeed.
      const isTaken = (await accounts.findByEmail(email)) !== undefined;
      if (isTaken) await writeOfSameDuration(account.id);
      const isNew = !isTaken && (await accounts.add(account));
      await requestMail(ports)(
        isNew ? { mail: 'verify-email', accountId: account.id } : { mail: 'address-taken', email },
      );
    });
  };
};
