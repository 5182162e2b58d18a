import { canonicalEmail } from '../../account/email.ts';
import { newPassword } from '../../account/password.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';

/**
 * Makes an account that can sign in at once, and mails its address a link to verify it. A taken address changes nothing,
 * its owner is told by mail, and the caller learns nothing of it: not by the answer, and not by the time that it takes.
 * Throws `VALIDATION_ERROR` or `RATE_LIMITED`; what is not valid does not count.
 */
export const registerAccount = (
  ports: Pick<Ports, 'accounts' | 'sessions' | 'passwordHasher' | 'rateCounters' | 'jobs' | 'ids' | 'clock'>,
) => {
  const { accounts, sessions, passwordHasher, ids, clock } = ports;
  const limited = limitedRequest(ports);
  /**
   * A write as durable as that of an account, and as simple: a store refuses a taken address sooner than it keeps a new
   * one. The session is nobody's and over, and the sweep removes it.
   */
  const writeAsLong = async (id: string): Promise<void> => {
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
      // Looked up first, so that either way is one look and one write. Of two at once for one address, `add` lets one win.
      const isTaken = (await accounts.findByEmail(email)) !== undefined;
      if (isTaken) await writeAsLong(account.id);
      const isNew = !isTaken && (await accounts.add(account));
      await requestMail(ports)(
        isNew ? { mail: 'verify-email', accountId: account.id } : { mail: 'address-taken', email },
      );
    });
  };
};
