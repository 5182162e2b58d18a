import { completedDocument, type Actor } from '../../document/visibility.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { findVisible } from '../documents/find-document.ts';
import { limitedRequest } from '../requests/count-request.ts';
import { keyedRequest } from '../requests/keyed-request.ts';
import { requestMail } from './request-mail.ts';

const HOLD_MS = 15_000;

/**
 * Queues a mail with the document to the caller's own address; with an idempotency key, only one mail for each key.
 * Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED`, `FILE_NOT_STORED`, `RATE_LIMITED`, or the errors of
 * {@link keyedRequest}.
 */
export const emailDocument = (
  ports: Pick<Ports, 'documents' | 'blobs' | 'rateCounters' | 'idempotency' | 'jobs' | 'ids' | 'clock' | 'faults'>,
) => {
  const limited = limitedRequest(ports);
  const once = keyedRequest(ports);
  return async (actor: Actor, documentId: string, source: RequestSource, key?: string): Promise<void> => {
    const { accountId } = actor;
    await once({ accountId, key, fingerprint: `email ${documentId}`, holdMs: HOLD_MS }, async (mailId) => {
      const document = completedDocument(await findVisible(ports)(actor, documentId));
      if (!(await ports.blobs.stat(document.blobKey)))
        throw new AppError('FILE_NOT_STORED', 'No file is stored for this document.');
      const checks = [rateRules.documentMailsPerMinute, rateRules.documentMailsPerHour].map((rule) => ({
        rule,
        subject: accountId,
      }));
      await limited(checks, source, () => requestMail(ports)({ mail: 'document', accountId, documentId }, mailId));
      return '';
    });
  };
};
