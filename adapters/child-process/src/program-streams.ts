import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { hasErrorCode } from '@palimpsest/files';

const STDERR_KEPT_CHARACTERS = 20_000;

/** Collects standard output. Calls `onExcess` when it is longer than `maxBytes`. */
export const collectOutput = (stream: Readable | null, maxBytes: number, onExcess: () => void): (() => Buffer) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) onExcess();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
};

/**
 * Keeps only the last part of standard error, to limit the memory. Calls `onExcess` when it is longer than `maxBytes`.
 */
export const collectErrors = (stream: Readable | null, maxBytes: number, onExcess: () => void): (() => string) => {
  let [end, bytes] = ['', 0];
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.toString('latin1')).slice(-STDERR_KEPT_CHARACTERS);
    if (bytes > maxBytes) onExcess();
  });
  return () => Buffer.from(end, 'latin1').toString('utf8');
};

/** Writes `parts` to standard input and closes it, unless `staysOpen`. */
export const feedInput = (
  { stdin }: ChildProcess,
  parts: readonly Uint8Array[],
  staysOpen: boolean,
  onError: (error: Error) => void,
): void => {
  stdin?.on('error', (error) => {
    // A program may end before it has read all its input. That is not an error by itself; the caller checks the exit
    // code.
    if (!hasErrorCode(error, 'EPIPE', 'ECONNRESET', 'EOF', 'ECANCELED')) onError(error);
  });
  for (const part of parts) stdin?.write(part);
  if (!staysOpen) stdin?.end();
};
