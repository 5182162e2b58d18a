import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import { whenAborted, type Cancellation, type Mailer, type OutgoingMail } from '@palimpsest/core';
import { makeFolders, removeStaleFiles, syncFolder, temporaryName } from '@palimpsest/files';
import { attachedBytes, composeMail, plainRecipient, plainSender, type Sender } from './compose-mail.ts';
import { mailFileName, onDisk } from './outbox-files.ts';

const writeAll = async (message: Readable, handle: FileHandle, signal: AbortSignal): Promise<void> => {
  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  };
  await pipeline(message, write, { signal });
};

/**
 * Writes each mail to a folder as a file (`.eml`, RFC 5322) that mail programs can open, for installations without a
 * mail server. The recipient is in the header `To`. The file appears complete or not at all. A mail that is sent again
 * replaces its file. Memory use does not depend on the size of the attachment.
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
    const sourceErrors: unknown[] = [];
    const options = composeMail(
      mail,
      this.#from,
      attachedBytes(mail, (error) => sourceErrors.push(error)),
    );
    const temporary = join(this.#folder, temporaryName());
    const writing = new AbortController();
    const stopListening = whenAborted(signal, () => writing.abort());
    try {
      await onDisk(this.#write(new MailComposer(options).compile().createReadStream(), temporary, writing.signal));
      signal.throwIfAborted();
      await onDisk(rename(temporary, join(this.#folder, mailFileName(mail))));
      await onDisk(syncFolder(this.#folder));
    } catch (error) {
      // Ignores an error of `unlink`, because the first error matters more. The next `openOutbox` deletes a remaining
      // file.
      await Promise.allSettled([unlink(temporary)]);
      signal.throwIfAborted();
      throw sourceErrors.length > 0 ? sourceErrors[0] : error;
    } finally {
      stopListening();
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

/** The options of {@link openOutbox}. */
export interface OutboxOptions {
  readonly folder: string; // created if it does not exist, only for this user
  readonly from: Sender;
}

/**
 * Opens the outbox in a folder and deletes incomplete files of killed processes. Throws `SERVICE_UNAVAILABLE` if the
 * folder cannot be created or read, and `Error` for an invalid `from`.
 */
export const openOutbox = async ({ folder, from }: OutboxOptions): Promise<OutboxMailer> => {
  const sender = plainSender(from);
  const path = resolve(folder);
  const prepare = async (): Promise<void> => {
    await makeFolders(path);
    await removeStaleFiles(path);
  };
  await onDisk(prepare());
  return new OutboxMailer(path, sender);
};
