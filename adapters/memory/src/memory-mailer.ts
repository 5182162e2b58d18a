import {
  AppError,
  isCanonicalEmail,
  untilAborted,
  type Cancellation,
  type Mailer,
  type OutgoingMail,
} from '@palimpsest/core';

/** A delivered mail. */
export interface MemoryDelivery extends Omit<OutgoingMail, 'attachment'> {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly attachment?: {
    readonly filename: string;
    readonly mediaType: string;
    readonly byteSize: number;
    readonly bytes: Uint8Array;
  };
}

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/** Stores all delivered mails, in order. */
export class MemoryMailer implements Mailer {
  readonly delivered: MemoryDelivery[] = [];
  readonly #from: string;
  readonly #errors: unknown[] = [];

  constructor(from = 'palimpsest@example.org') {
    this.#from = from;
  }

  /**
   * Makes the next `send` throw `error` and deliver nothing. After several calls, each of the next sends throws one
   * error.
   */
  failNext(error: unknown): void {
    this.#errors.push(error);
  }

  async send({ attachment, ...mail }: OutgoingMail, signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    if (this.#errors.length > 0) throw this.#errors.shift();
    if (!isCanonicalEmail(mail.to))
      throw new AppError('MAIL_REFUSED', 'The address of the recipient is not a plain address.');
    const bytes = attachment && (await this.#read(await attachment.open(), signal));
    signal.throwIfAborted();
    this.delivered.push({
      ...mail,
      subject: oneLine(mail.subject),
      envelope: { from: this.#from, to: [mail.to] },
      ...(attachment &&
        bytes && {
          attachment: {
            filename: oneLine(attachment.filename),
            mediaType: attachment.mediaType,
            byteSize: attachment.byteSize,
            bytes,
          },
        }),
    });
  }

  async #read(source: AsyncIterable<Uint8Array>, signal: Cancellation): Promise<Uint8Array> {
    const chunks = source[Symbol.asyncIterator]();
    const read: Uint8Array[] = [];
    try {
      for (;;) {
        const next = await untilAborted(chunks.next(), signal);
        if (next.done) return Uint8Array.from(Buffer.concat(read));
        read.push(Uint8Array.from(next.value));
      }
    } catch (error) {
      void chunks.return?.().catch(() => undefined); // closing may never end, and its error must not replace the first one
      throw error;
    }
  }
}
