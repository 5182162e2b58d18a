import type { Composition } from '@palimpsest/composition';
import { isAppError, mailRequestOf, type JobHandler, type MailRequest, type SendOutcome } from '@palimpsest/core';

const MAILS_AT_ONCE = 3;

/** What the log may know of a fault: what mail servers say often holds addresses, so their words stay out. */
const withoutAddresses = (fault: unknown): Record<string, unknown> => {
  if (!isAppError(fault)) return { err: fault };
  // A mail that is given up is caused by its last failure, and that by what the server said.
  if (isAppError(fault.cause)) return { ...withoutAddresses(fault.cause), fault: fault.code, reason: fault.message };
  const cause = fault.cause as { code?: unknown; responseCode?: unknown } | undefined;
  return { fault: fault.code, reason: fault.message, cause: cause?.code, smtpStatus: cause?.responseCode };
};

const logOutcome = (log: Composition['log'], { mailId, mail }: MailRequest, outcome: SendOutcome): void => {
  const fields = { mailId, mail };
  switch (outcome.kind) {
    case 'sent':
      log.info({ ...fields, attachmentLeftOut: outcome.attachmentLeftOut }, 'mail sent');
      return;
    case 'ended-before':
      log.info({ ...fields, outcome: outcome.outcome }, 'mail had ended before');
      return;
    case 'dropped':
      log.info({ ...fields, reason: outcome.reason }, 'mail dropped');
      return;
    case 'refused':
      log.error({ ...fields, ...withoutAddresses(outcome.fault) }, 'mail refused');
      return;
    case 'put-off':
      log.warn({ ...fields, ...withoutAddresses(outcome.fault) }, 'mail put off');
  }
};

/** The handler of mail jobs: each job is one mail. */
export const mailJobs = ({ useCases, log }: Composition): JobHandler => ({
  concurrency: MAILS_AT_ONCE,
  run: async ({ payload, signal }) => {
    const request = mailRequestOf(payload);
    const outcome = await useCases.sendMail(request, signal);
    logOutcome(log, request, outcome);
    return outcome.kind === 'put-off' ? { retryAt: outcome.retryAt } : 'done';
  },
});
