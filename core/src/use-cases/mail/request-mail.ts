import type { MailContent, MailRequest } from '../../mail/mail-request.ts';
import type { Ports } from '../../ports/index.ts';
import type { JobPayload } from '../../ports/job-queue.ts';

/** The kind of the jobs that write and send one mail each. */
export const SEND_MAIL_JOB = 'send-mail';

/** The mail that a job's payload, made by {@link requestMail}, asks for. */
export const mailRequestOf = (payload: JobPayload): MailRequest => payload as unknown as MailRequest;

/** Accepts a mail: when it resolves, the mail will be written and sent by a worker. */
export const requestMail =
  ({ jobs, ids, clock }: Pick<Ports, 'jobs' | 'ids' | 'clock'>) =>
  async (content: MailContent, mailId: string = ids.next()): Promise<void> => {
    const payload: JobPayload = { ...content, mailId, requestedAt: clock.now() };
    await jobs.enqueue(SEND_MAIL_JOB, payload);
  };

/** Accepts a mail that only tells of something done, which a fault of the queue must not undo. */
export const notifyByMail =
  (ports: Pick<Ports, 'jobs' | 'ids' | 'clock' | 'faults'>) =>
  async (content: MailContent): Promise<void> => {
    try {
      await requestMail(ports)(content);
    } catch (error) {
      ports.faults.report(error, `queueing the mail ${content.mail}; it is not sent`);
    }
  };
