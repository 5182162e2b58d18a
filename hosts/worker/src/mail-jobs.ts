import type { Composition } from '@palimpsest/composition';
import { isAppError, mailRequestOf, type JobHandler, type MailRequest, type SendOutcome } from '@palimpsest/core';

const MAILS_AT_ONCE = 3;

/** The log fields of an error, without the reply of the mail server, which often contains addresses. */
const withoutAddresses = (fault: unknown): Record<string, unknown> => {
  if (!isAppError(fault)) return { err: fault };
  // After the last retry, the cause of the error is the last failure, and its cause is the reply of the server.
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
      log.info({ ...fields, outcome: outcome.outcome }, 'mail was handled before, nothing is sent');
      return;
    case 'dropped':
      log.info({ ...fields, reason: outcome.reason }, 'mail dropped');
      return;
    case 'refused':
      log.error({ ...fields, ...withoutAddresses(outcome.fault) }, 'mail refused');
      return;
    case 'postponed':
      log.warn({ ...fields, ...withoutAddresses(outcome.fault) }, 'mail delayed; it is retried later');
  }
};

/** The handler of mail jobs: each job sends one mail. */
export const mailJobs = ({ useCases, log }: Composition): JobHandler => ({
  concurrency: MAILS_AT_ONCE,
  run: async ({ payload, signal }) => {
    const request = mailRequestOf(payload);
    const outcome = await useCases.sendMail(request, signal);
    logOutcome(log, request, outcome);
    return outcome.kind === 'postponed' ? { retryAt: outcome.retryAt } : 'done';
  },
});
