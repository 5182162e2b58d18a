import { canonicalEmail } from '../account/email.ts';
import { newPassword } from '../account/password.ts';
import type { RequestSource } from '../rate-limit/limit-state.ts';
import { rateRules } from '../rate-limit/rules.ts';
import type { Ports } from '../ports/index.ts';
import { limitedRequest } from './count-request.ts';
import { requestMail } from './request-mail.ts';

/**
 * Makes an account that can sign in at once, and mails its address a link to verify it. A taken address changes nothing,
 * its owner is told by mail, and the caller learns nothing of it: not by the answer, and not by the time that it takes.
 * Throws `VALIDATION_ERROR` or `RATE_LIMITED`; what is not valid does not count.
 */
export const registerAccount = (ports: Pick<Ports, 'accounts' | 'idempotency' | 'passwordHasher' | 'rateCounters' | 'jobs' | 'ids' | 'clock'>) => {
  const { accounts, idempotency, passwordHasher, ids, clock } = ports;
  const limited = limitedRequest(ports);
  /** A write as durable as that of an account, which takes as long; the sweep removes what it leaves. */
  const writeAsLong = async (id: string): Promise<void> => {
    const now = clock.now();
    await idempotency.begin({ accountId: id, key: id, fingerprint: '', resourceId: id, heldUntil: now, expiresAt: now }, now);
  };
  return async (given: { readonly email: string; readonly password: string }, source: RequestSource): Promise<void> => {
    const email = canonicalEmail(given.email);
    const password = newPassword(given.password, email);
    await limited([{ rule: rateRules.registrationsPerClient, subject: source.client }], source, async () => {
      const account = { id: ids.next(), email, passwordHash: await passwordHasher.hash(password), emailVerified: false, createdAt: clock.now() };
      const isNew = await accounts.add(account);
      if (!isNew) await writeAsLong(account.id);
      await requestMail(ports)(isNew ? { mail: 'verify-email', accountId: account.id } : { mail: 'address-taken', email });
    });
  };
};
