import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError, toEpochMs, type OutgoingMail } from '@palimpsest/core';

const STALE_AFTER_MS = 3_600_000;
const TEMPORARY = /^\.([\w-]+)\.([0-9]+)\.[0-9a-f-]{36}\.part$/;

const machine = hostname().replaceAll(/[^\w-]/g, '_') || 'machine';

const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** What `work` resolves with. A fault of the file system is `SERVICE_UNAVAILABLE`; every other error is thrown on as it is. */
export const onDisk = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'Mails cannot be put into the outbox at the moment. Try again later.', {
      cause: error,
    });
  }
};

/** The name of the file of a mail: sorts by date, and is the same each time the mail is sent. */
export const mailFileName = ({ messageId, date }: OutgoingMail): string => {
  const time = new Date(toEpochMs(date)).toISOString().replaceAll(/[:.]/g, '-');
  const local = messageId
    .replace(/@.*$/s, '')
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 80);
  return `${time}-${local}-${createHash('sha256').update(messageId).digest('hex').slice(0, 10)}.eml`;
};

/** A new name for a file that is being written. It tells which process writes it. */
export const temporaryName = (): string => `.${machine}.${process.pid}.${randomUUID()}.part`;

/** Makes the entries of a folder durable. Windows cannot open folders for this; NTFS journals their entries itself. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
};

const unlessGone = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Removes what processes that died left half-written: files of this machine whose process is gone, and files to which
 * nothing was written for an hour. Others may be somebody's work.
 */
export const removeLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const [, writer, pid] = TEMPORARY.exec(name) ?? [];
    if (writer === undefined) continue;
    const path = join(folder, name);
    const info = await unlessGone(stat(path));
    if (info === undefined) continue;
    if ((writer === machine && isGone(Number(pid))) || info.mtimeMs < Date.now() - STALE_AFTER_MS)
      await unlessGone(unlink(path));
  }
};
