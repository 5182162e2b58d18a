import { keyLock } from '../../concurrency/key-lock.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Letter } from '../../mail/layout.ts';
import type { MailOutcome } from '../../mail/mail-record.ts';
import type { MailRequest } from '../../mail/mail-request.ts';
import type { MailAttachment } from '../../mail/outgoing-mail.ts';
import { nextMailAttempt } from '../../mail/retry.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs, type Cancellation, type Instant } from '../../units.ts';
import { writeMail, type MailSettings } from './write-mail.ts';

/** The outcome of an attempt to send a mail. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly attachmentLeftOut: boolean }
  | { readonly kind: 'ended-before'; readonly outcome: MailOutcome } // an earlier attempt ended the mail; nothing was sent
  | { readonly kind: 'dropped'; readonly reason: string } // the mail is not needed any more
  | { readonly kind: 'refused'; readonly fault: unknown }
  | { readonly kind: 'postponed'; readonly retryAt: Instant; readonly fault: unknown };

type Needs =
  | 'accounts'
  | 'accountTokens'
  | 'documents'
  | 'pages'
  | 'revisions'
  | 'blobs'
  | 'secretTokens'
  | 'rateCounters'
  | 'mailer'
  | 'mailLedger'
  | 'clock';

const INTERRUPTED_RETRY_MS = 1000;

/**
 * Writes and sends a queued mail. A request has one Message-ID. After the delivery is recorded, the mail is never sent
 * again, even if its job runs again. It is sent twice only if the process dies between the delivery and the record of
 * the delivery, or if the server's response is lost. A mail that is too large with its attachment is sent without it. A
 * mail that fails temporarily is retried for up to 24 hours; a mail that is refused permanently is not retried.
 */
export const sendMail = (ports: Pick<Ports, Needs>, settings: MailSettings) => {
  const { mailer, mailLedger, clock } = ports;
  const write = writeMail(ports, settings);
  // Mails that the server accepted but whose record failed. This process does not send them again; another one may.
  const delivered = new Set<string>();
  // Two jobs may send one mail: a client repeats a request with its key if the first response is lost.
  const lock = keyLock();

  const end = async (mailId: string, outcome: MailOutcome): Promise<void> => {
    await mailLedger.finish(mailId, outcome);
    delivered.delete(mailId);
  };

  /** Sends the mail; `true` if it was sent without its attachment. */
  const deliver = async (request: MailRequest, signal: Cancellation): Promise<boolean | { dropped: string }> => {
    const written = await write(request);
    if (typeof written === 'string') return { dropped: written };
    const { to, letter, attachment, withoutAttachment, notSent } = written;
    const send = ({ subject, text, html }: Letter, file?: MailAttachment): Promise<void> =>
      mailer.send(
        {
          messageId: `${request.mailId}@${settings.messageIdDomain}`,
          date: request.requestedAt,
          to,
          subject,
          text,
          html,
          ...(file && { attachment: file }),
        },
        signal,
      );
    try {
      await send(letter, attachment);
      return false;
    } catch (error) {
      if (!isAppError(error, 'MAIL_TOO_LARGE') || withoutAttachment === undefined) {
        await notSent?.();
        throw error;
      }
    }
    await send(withoutAttachment);
    return true;
  };

  const sendOnce = async (request: MailRequest, signal: Cancellation): Promise<SendOutcome> => {
    const { mailId } = request;
    const record = await mailLedger.begin(mailId, clock.now());
    if (record.outcome !== undefined) return { kind: 'ended-before', outcome: record.outcome };
    if (delivered.has(mailId)) {
      await end(mailId, 'sent');
      return { kind: 'ended-before', outcome: 'sent' };
    }
    let attachmentLeftOut: boolean;
    try {
      const result = await deliver(request, signal);
      if (typeof result === 'object') {
        await end(mailId, 'dropped');
        return { kind: 'dropped', reason: result.dropped };
      }
      attachmentLeftOut = result;
    } catch (fault) {
      if (isAppError(fault, 'MAIL_REFUSED', 'MAIL_TOO_LARGE')) {
        await end(mailId, 'refused');
        return { kind: 'refused', fault };
      }
      const now = clock.now();
      if (signal.aborted) return { kind: 'postponed', retryAt: plusMs(now, INTERRUPTED_RETRY_MS), fault };
      const retryAt = nextMailAttempt(record.attempts, record.firstAttemptAt, now);
      if (retryAt !== undefined) return { kind: 'postponed', retryAt, fault };
      await end(mailId, 'refused');
      return {
        kind: 'refused',
        fault: new AppError('MAIL_REFUSED', 'The mail could not be delivered for 24 hours.', { cause: fault }),
      };
    }
    delivered.add(mailId);
    await end(mailId, 'sent');
    return { kind: 'sent', attachmentLeftOut };
  };

  return (request: MailRequest, signal: Cancellation): Promise<SendOutcome> =>
    lock.run(request.mailId, () => sendOnce(request, signal));
};
