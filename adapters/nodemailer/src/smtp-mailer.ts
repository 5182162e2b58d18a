import { createTransport } from 'nodemailer';
import { whenAborted, type Cancellation, type Mailer, type OutgoingMail } from '@palimpsest/core';
import { attachedBytes, composeMail, mailByteSize, plainRecipient, plainSender, type Sender } from './compose-mail.ts';
import { toMailError, isLostConnection } from './smtp-fault.ts';
import { parseSmtpUrl, type SmtpSettings } from './smtp-settings.ts';

/** Timeouts of the SMTP server. */
export interface SmtpTimeouts {
  readonly connectMs: number; // for the DNS lookup, and then for the connection
  readonly greetingMs: number; // for the greeting
  readonly silenceMs: number; // without any data; a server may process a mail for a long time before it answers
  readonly sendMs: number; // for one whole mail, including the wait for a connection
}

/**
 * Ten minutes without data, as RFC 5321 (section 4.5.3.2.6) requires after the end of a mail: if the client stopped
 * waiting before the server accepts the mail, the recipient would get the mail twice.
 */
export const defaultTimeouts: SmtpTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 600_000,
  sendMs: 900_000,
};

const MAX_CONNECTIONS = 3;
// The number of retries on a new connection if no byte of a mail was sent: the server may have closed all idle
// connections.
const MAX_RECONNECTIONS = MAX_CONNECTIONS;

const openPool = (
  { host, port, secure, requireTls, allowInvalidCertificate, credentials }: SmtpSettings,
  timeouts: SmtpTimeouts,
) =>
  createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 0, // a requeued mail would continue to read its attachment from the middle
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

/** Sends mails to an SMTP server over at most three connections, which it reuses for further mails. */
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
    const sending = new AbortController();
    const stopListening = whenAborted(signal, () => sending.abort());
    const timer = setTimeout(() => sending.abort(), this.#sendMs);
    try {
      for (
        let reconnections = 0;
        !(await this.#trySend(mail, size, sending.signal, reconnections < MAX_RECONNECTIONS));
        reconnections++
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  /** Tries to send a mail. Returns `false` if the connection was lost before the first byte and `mayRetry` is set. */
  async #trySend(mail: OutgoingMail, size: number, signal: AbortSignal, mayRetry: boolean): Promise<boolean> {
    const sourceErrors: unknown[] = [];
    const options = composeMail(
      mail,
      this.#from,
      attachedBytes(mail, (error) => sourceErrors.push(error)),
    );
    try {
      // With `size`, a server that announces its limit refuses a too large mail before it is sent (RFC 1870).
      await this.#pool.sendMail({ ...options, envelope: { from: this.#from.address, to: [mail.to], size }, signal });
      return true;
    } catch (error) {
      if (sourceErrors.length > 0) throw sourceErrors[0];
      if (mayRetry && !signal.aborted && isLostConnection(error)) return false;
      throw toMailError(error);
    }
  }

  /** Closes all connections. Running sends fail with `SERVICE_UNAVAILABLE`. */
  async close(): Promise<void> {
    this.#pool.close({ force: true });
  }
}

/** The options of {@link openSmtpMailer}. */
export interface SmtpMailerOptions {
  readonly url: string; // see `parseSmtpUrl`
  readonly from: Sender;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/**
 * Makes a mailer for the server at `url`, which connects when it sends the first mail. Throws `Error` for an invalid
 * `url` or `from`.
 */
export const openSmtpMailer = ({ url, from, timeouts }: SmtpMailerOptions): SmtpMailer => {
  const times = { ...defaultTimeouts, ...timeouts };
  return new SmtpMailer(openPool(parseSmtpUrl(url), times), plainSender(from), times.sendMs);
};
