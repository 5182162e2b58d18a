import type { AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { requestMail } from '../mail/request-mail.ts';
import { limitedRequest } from '../requests/count-request.ts';

/** Mails a new link to an unverified address. Throws `RATE_LIMITED`. */
export const resendVerification = (ports: Pick<Ports, 'rateCounters' | 'jobs' | 'ids' | 'clock'>) => {
  const limited = limitedRequest(ports);
  return async ({ accountId }: Pick<AccessClaims, 'accountId'>, source: RequestSource): Promise<void> => {
    const checks = [rateRules.verificationsPerMinute, rateRules.verificationsPerHour].map((rule) => ({
      rule,
      subject: accountId,
    }));
    await limited(checks, source, () => requestMail(ports)({ mail: 'verify-email', accountId }));
  };
};
