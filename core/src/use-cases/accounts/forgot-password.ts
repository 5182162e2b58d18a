import { canonicalEmail } from '../../account/email.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';

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
