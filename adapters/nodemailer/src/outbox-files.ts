import { createHash } from 'node:crypto';
import { AppError, toEpochMs, type OutgoingMail } from '@palimpsest/core';

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'code' in error;

/**
 * Awaits `work`. Throws `SERVICE_UNAVAILABLE` for every error of the file system, so that the mail is retried, also when
 * the folder is missing or not writable. Throws all other errors unchanged.
 */
export const onDisk = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'Mails cannot be written to the outbox at the moment. Try again later.', {
      cause: error,
    });
  }
};

/** The file name of a mail. Names sort by date, and a mail that is sent again gets the same name. */
export const mailFileName = ({ messageId, date }: OutgoingMail): string => {
  const time = new Date(toEpochMs(date)).toISOString().replaceAll(/[:.]/g, '-');
  const local = messageId
    .replace(/@.*$/s, '')
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 80);
  return `${time}-${local}-${createHash('sha256').update(messageId).digest('hex').slice(0, 10)}.eml`;
};
