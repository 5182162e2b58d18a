import { untilAborted, type ErrorCode, type Ports } from '@palimpsest/core';
import type { Logger } from './log.ts';

const CHECK_TIMEOUT_MS = 5_000;

const UNAVAILABLE: ErrorCode = 'SERVICE_UNAVAILABLE';

/** The answer to `GET /readyz`. */
export type Readiness =
  | { readonly status: 200; readonly headers: object; readonly body: { readonly status: 'ready' } }
  | {
      readonly status: 503;
      readonly headers: { readonly 'Retry-After': string };
      readonly body: { readonly error: { readonly code: ErrorCode; readonly message: string } };
    };

interface Checked {
  readonly ports: Pick<Ports, 'documents' | 'blobs'>;
  readonly log: Logger;
}

/** The names of the dependencies that do not answer within five seconds. The reasons are logged. */
const missingDependencies = async ({ ports, log }: Checked): Promise<readonly string[]> => {
  const missing: string[] = [];
  const check = async (name: string, promise: Promise<void>): Promise<void> => {
    try {
      await untilAborted(promise, AbortSignal.timeout(CHECK_TIMEOUT_MS));
    } catch (error) {
      log.warn({ err: error, dependency: name }, 'dependency unavailable');
      missing.push(name);
    }
  };
  await Promise.all([check('database', ports.documents.check()), check('blob store', ports.blobs.check())]);
  return missing;
};

/**
 * Whether a host is ready: the database and the blob store answer within five seconds, and the host is not shutting
 * down. `stopping` is the name of a host that is shutting down.
 */
export const readiness = async (checked: Checked, stopping: string | undefined): Promise<Readiness> => {
  const missing = [
    ...(await missingDependencies(checked)),
    ...(stopping === undefined ? [] : [`${stopping} (it is shutting down)`]),
  ];
  if (missing.length === 0) return { status: 200, headers: {}, body: { status: 'ready' } };
  const message = `Not available: ${missing.join(', ')}. Try again in a few seconds.`;
  return { status: 503, headers: { 'Retry-After': '5' }, body: { error: { code: UNAVAILABLE, message } } };
};
