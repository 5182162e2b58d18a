import { cleanFilename, MAX_FILENAME_CHARACTERS } from '../../document/filename.ts';
import { acceptDocument } from '../../document/lifecycle.ts';
import { documentTitle } from '../../document/title.ts';
import type { Actor } from '../../document/visibility.ts';
import { AppError, isAppError } from '../../errors.ts';
import { RECOGNIZE_JOB } from '../../jobs/job-kinds.ts';
import type { Ports } from '../../ports/index.ts';
import type { Instant } from '../../units.ts';
import { keyedRequest } from '../requests/keyed-request.ts';
import { indexDocument } from '../search/index-document.ts';
import { discardFile, type ReceivedFile } from './receive-file.ts';

// Longer than the few database writes that follow the storage of the file take.
const HOLD_MS = 60_000;

export interface UploadRequest {
  readonly actor: Actor;
  readonly file: ReceivedFile;
  readonly filename: string;
  readonly title?: string;
  readonly key?: string | undefined; // the client's idempotency key
}

/** A document as it was accepted. */
export interface AcceptedUpload {
  readonly id: string;
  readonly receivedAt: Instant;
}

/** The stored answer of a request with an idempotency key. */
interface StoredAnswer extends AcceptedUpload {
  readonly blobKey: string; // the file of the document: another file if this request is a repeat
}

/** Whether this error proves that no document refers to the file. */
const isRefusal = (error: unknown): boolean =>
  isAppError(error, 'VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE');

/**
 * Creates a queued document from a received file. When it resolves, the document is durable. If its job cannot be added
 * now, a recurring job finds the queued document and adds one. A repeat with the same idempotency key returns the first
 * document. The file is discarded after a refusal and after a repeat. After any other error a document may refer to the
 * file; the file cleanup removes it later if none does. Throws `VALIDATION_ERROR` for a file name or title that is too
 * long, or the errors of {@link keyedRequest}.
 */
export const uploadDocument = (
  ports: Pick<
    Ports,
    'documents' | 'pages' | 'revisions' | 'searchIndex' | 'blobs' | 'jobs' | 'ids' | 'clock' | 'faults' | 'idempotency'
  >,
) => {
  const { documents, jobs, clock, faults } = ports;
  const once = keyedRequest(ports);
  const discard = discardFile(ports);

  const reportFailure = async (work: Promise<void>, doing: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      faults.report(error, doing);
    }
  };

  const accept = async ({ actor, file, filename, title: givenTitle, key }: UploadRequest): Promise<StoredAnswer> => {
    if (filename.length > MAX_FILENAME_CHARACTERS) {
      throw new AppError('VALIDATION_ERROR', `file: give it a name of at most ${MAX_FILENAME_CHARACTERS} characters.`);
    }
    const { mediaType, byteSize, sha256, blobKey } = file;
    const { accountId: ownerId } = actor;
    const originalFilename = cleanFilename(filename);
    const title = documentTitle(givenTitle, originalFilename);
    const create = async (id: string): Promise<StoredAnswer> => {
      const earlier = key === undefined ? undefined : await documents.find(id);
      if (earlier) return { id, receivedAt: earlier.receivedAt, blobKey: earlier.blobKey };
      const receivedAt = clock.now();
      await documents.add(
        acceptDocument({ id, ownerId, title, originalFilename, mediaType, byteSize, sha256, blobKey, receivedAt }),
      );
      await reportFailure(jobs.enqueue(RECOGNIZE_JOB, {}), 'adding the job of a new document; a recurring job adds it');
      await reportFailure(indexDocument(ports)(id), 'indexing a new document; its worker indexes it');
      return { id, receivedAt, blobKey };
    };
    const fingerprint = JSON.stringify(['upload', sha256, originalFilename, title]);
    const answer = await once({ accountId: ownerId, key, fingerprint, holdMs: HOLD_MS }, async (id) =>
      JSON.stringify(await create(id)),
    );
    const accepted: StoredAnswer = JSON.parse(answer);
    return accepted;
  };

  return async (request: UploadRequest): Promise<AcceptedUpload> => {
    let accepted: StoredAnswer;
    try {
      accepted = await accept(request);
    } catch (error) {
      if (isRefusal(error)) await discard(request.file);
      throw error;
    }
    const { id, receivedAt, blobKey } = accepted;
    if (blobKey !== request.file.blobKey) await discard(request.file);
    return { id, receivedAt };
  };
};
