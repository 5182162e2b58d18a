import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Cancellation, Mailer, OutgoingMail } from '@palimpsest/core';
import { attachedBytes, composeMail, plainRecipient, plainSender, type Sender } from './compose-mail.ts';
import { forwardAbort } from './forward-abort.ts';
import { mailFileName, onDisk, removeLeftovers, syncFolder, temporaryName } from './outbox-files.ts';

const writeAll = async (message: Readable, handle: FileHandle, signal: AbortSignal): Promise<void> => {
  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  };
  await pipeline(message, write, { signal });
};

/**
 * Puts each mail into a folder as a file (`.eml`, RFC 5322) that mail programs open, for whom has no mail server or none
 * yet. The recipient is the one in the header `To`. The file appears whole or not at all, and a mail that is sent again
 * replaces its own. Memory used does not depend on the size of the attachment.
 */
export class OutboxMailer implements Mailer {
  readonly #folder: string;
  readonly #from: Sender;

  constructor(folder: string, from: Sender) {
    this.#folder = folder;
    this.#from = from;
  }

  async send(mail: OutgoingMail, signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    plainRecipient(mail);
    const sourceFaults: unknown[] = [];
    const options = composeMail(
      mail,
      this.#from,
      attachedBytes(mail, (fault) => sourceFaults.push(fault)),
    );
    const temporary = join(this.#folder, temporaryName());
    const breakOff = forwardAbort(signal);
    try {
      await onDisk(this.#write(new MailComposer(options).compile().createReadStream(), temporary, breakOff.signal));
      signal.throwIfAborted();
      await onDisk(rename(temporary, join(this.#folder, mailFileName(mail))));
      await onDisk(syncFolder(this.#folder));
    } catch (error) {
      // The error that brought us here matters more than one of this; what cannot be removed now is at the next opening.
      await Promise.allSettled([unlink(temporary)]);
      signal.throwIfAborted();
      throw sourceFaults.length > 0 ? sourceFaults[0] : error;
    } finally {
      breakOff.release();
    }
  }

  async #write(message: Readable, temporary: string, signal: AbortSignal): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await open(temporary, 'wx', 0o600);
    } catch (error) {
      message.destroy();
      throw error;
    }
    try {
      await writeAll(message, handle, signal);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** What opening takes. */
export interface OutboxOptions {
  readonly folder: string; // made if it is not there, for this user alone
  readonly from: Sender;
}

/**
 * Opens the outbox in a folder, and removes what died processes left there half-written. Throws `SERVICE_UNAVAILABLE`
 * where the folder cannot be made or read, and `Error` for a faulty `from`.
 */
export const openOutbox = async ({ folder, from }: OutboxOptions): Promise<OutboxMailer> => {
  const sender = plainSender(from);
  const path = resolve(folder);
  const prepare = async (): Promise<void> => {
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(dirname(made));
    await removeLeftovers(path);
  };
  await onDisk(prepare());
  return new OutboxMailer(path, sender);
};
