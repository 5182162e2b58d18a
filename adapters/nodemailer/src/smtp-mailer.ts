import { createTransport } from 'nodemailer';
import type { Cancellation, Mailer, OutgoingMail } from '@palimpsest/core';
import { attachedBytes, composeMail, mailByteSize, plainRecipient, plainSender, type Sender } from './compose-mail.ts';
import { forwardAbort } from './forward-abort.ts';
import { asMailFault, isOfConnectionAlone } from './smtp-fault.ts';
import { parseSmtpUrl, type SmtpSettings } from './smtp-settings.ts';

/** How long the server may take. */
export interface SmtpTimeouts {
  readonly connectMs: number; // to look up its name, and then to connect
  readonly greetingMs: number; // to greet
  readonly silenceMs: number; // between two signs of life; a server may work long on a mail before it answers
  readonly sendMs: number; // for one mail from first to last, waiting for a connection included
}

/**
 * Ten minutes of silence, as RFC 5321 (section 4.5.3.2.6) asks for after the end of a mail: whoever gives up before the
 * server answers, sends the mail twice.
 */
export const usualTimeouts: SmtpTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 600_000,
  sendMs: 900_000,
};

const MAX_CONNECTIONS = 3;
// How often a mail of which no byte was sent gets another connection: all that idled may have been cut at once.
const MAX_RECONNECTIONS = MAX_CONNECTIONS;

const openPool = (
  { host, port, secure, requireTls, allowInvalidCertificate, credentials }: SmtpSettings,
  timeouts: SmtpTimeouts,
) =>
  createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 0, // it would read an attachment on from where it was left
    host,
    port,
    secure,
    requireTLS: requireTls,
    tls: { rejectUnauthorized: !allowInvalidCertificate },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Sends mails to an SMTP server over at most three connections, which stay open between mails for a while. */
export class SmtpMailer implements Mailer {
  readonly #pool: ReturnType<typeof openPool>;
  readonly #from: Sender;
  readonly #sendMs: number;

  constructor(pool: ReturnType<typeof openPool>, from: Sender, sendMs: number) {
    this.#pool = pool;
    this.#from = from;
    this.#sendMs = sendMs;
  }

  async send(mail: OutgoingMail, signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    plainRecipient(mail);
    const size = await mailByteSize(mail, this.#from);
    const breakOff = forwardAbort(signal);
    const timer = setTimeout(breakOff.stop, this.#sendMs);
    try {
      for (
        let reconnections = 0;
        !(await this.#handOver(mail, size, breakOff.signal, reconnections < MAX_RECONNECTIONS));
        reconnections++
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      breakOff.release();
    }
  }

  /** Hands a mail over, and resolves with true; with false if its connection was cut before any of it was sent, and `again`. */
  async #handOver(mail: OutgoingMail, size: number, signal: AbortSignal, again: boolean): Promise<boolean> {
    const sourceFaults: unknown[] = [];
    const options = composeMail(
      mail,
      this.#from,
      attachedBytes(mail, (fault) => sourceFaults.push(fault)),
    );
    try {
      // With its size the mail is refused before it is sent, if the server says how much it takes (RFC 1870).
      await this.#pool.sendMail({ ...options, envelope: { from: this.#from.address, to: [mail.to], size }, signal });
      return true;
    } catch (error) {
      if (sourceFaults.length > 0) throw sourceFaults[0];
      if (again && !signal.aborted && isOfConnectionAlone(error)) return false;
      throw asMailFault(error);
    }
  }

  /** Closes all connections; mails that are being sent fail with `SERVICE_UNAVAILABLE`. */
  async close(): Promise<void> {
    this.#pool.close({ force: true });
  }
}

/** What opening takes. */
export interface SmtpMailerOptions {
  readonly url: string; // see `parseSmtpUrl`
  readonly from: Sender;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/** A mailer for the server at `url`, which is not connected to before the first mail. Throws `Error` for a faulty `url` or `from`. */
export const openSmtpMailer = ({ url, from, timeouts }: SmtpMailerOptions): SmtpMailer => {
  const times = { ...usualTimeouts, ...timeouts };
  return new SmtpMailer(openPool(parseSmtpUrl(url), times), plainSender(from), times.sendMs);
};
