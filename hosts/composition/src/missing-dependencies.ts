import type { Ports } from '@palimpsest/core';
import type { Logger } from './log.ts';

const CHECK_TIMEOUT_MS = 5_000;

const withTimeout = async (check: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The names of the dependencies that do not answer within five seconds. The reasons are logged. */
export const missingDependencies = async ({
  ports,
  log,
}: {
  readonly ports: Pick<Ports, 'documents' | 'blobs'>;
  readonly log: Logger;
}): Promise<readonly string[]> => {
  const missing: string[] = [];
  const check = async (name: string, promise: Promise<void>): Promise<void> => {
    try {
      await withTimeout(promise);
    } catch (error) {
      log.warn({ err: error, dependency: name }, 'dependency unavailable');
      missing.push(name);
    }
  };
  await Promise.all([check('database', ports.documents.check()), check('blob store', ports.blobs.check())]);
  return missing;
};
