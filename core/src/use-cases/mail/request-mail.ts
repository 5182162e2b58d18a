import type { MailContent, MailRequest } from '../../mail/mail-request.ts';
import { SEND_MAIL_JOB } from '../../jobs/job-kinds.ts';
import type { Ports } from '../../ports/index.ts';

/** Adds a mail to the job queue, durably before it resolves. A worker writes and sends the mail. */
export const requestMail =
  ({ jobs, ids, clock }: Pick<Ports, 'jobs' | 'ids' | 'clock'>) =>
  async (content: MailContent, mailId: string = ids.next()): Promise<void> => {
    const request: MailRequest = { ...content, mailId, requestedAt: clock.now() };
    await jobs.enqueue(SEND_MAIL_JOB, { ...request });
  };

/** Queues a mail about a completed change. A failure of the queue is only reported, because the change stays. */
export const notifyByMail =
  (ports: Pick<Ports, 'jobs' | 'ids' | 'clock' | 'faults'>) =>
  async (content: MailContent): Promise<void> => {
    try {
      await requestMail(ports)(content);
    } catch (error) {
      ports.faults.report(error, `adding the job of the mail ${content.mail}; it is not sent`);
    }
  };
