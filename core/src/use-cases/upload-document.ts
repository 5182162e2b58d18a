import { cleanFilename, MAX_FILENAME_CHARACTERS } from '../document/filename.ts';
import { acceptDocument } from '../document/lifecycle.ts';
import { documentTitle } from '../document/title.ts';
import type { Actor } from '../document/visibility.ts';
import { AppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import type { Instant } from '../units.ts';
import { indexDocument } from './index-document.ts';
import { keyedRequest } from './keyed-request.ts';
import type { ReceivedFile } from './receive-file.ts';

/** The kind of the jobs that bring a worker to the next document; each is good for one document, whichever it is. */
export const RECOGNIZE_JOB = 'recognize';

// From the file in the store to the answer: a few writes to the database.
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
  readonly blobKey: string; // not that of the file given, if an earlier request with the key brought the document
}

/**
 * Makes a received file a document that waits to be read. When it resolves, the document is durable, and the document
 * alone says that there is work: if its job cannot be queued now, the sweep queues one. With a key, once for each key: a
 * repeat gets the first document. Throws `VALIDATION_ERROR` for a name or title that is too long, or what
 * {@link keyedRequest} throws; then the caller still has the file.
 */
export const uploadDocument = (
  ports: Pick<
    Ports,
    'documents' | 'pages' | 'revisions' | 'searchIndex' | 'jobs' | 'ids' | 'clock' | 'faults' | 'idempotency'
  >,
) => {
  const { documents, jobs, clock, faults } = ports;
  const once = keyedRequest(ports);

  /** What may fail without harm: something else does it later. */
  const attempt = async (work: Promise<void>, what: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      faults.report(error, what);
    }
  };

  return async ({ actor, file, filename, title: givenTitle, key }: UploadRequest): Promise<AcceptedUpload> => {
    if (filename.length > MAX_FILENAME_CHARACTERS) {
      throw new AppError('VALIDATION_ERROR', `file: give it a name of at most ${MAX_FILENAME_CHARACTERS} characters.`);
    }
    const { mediaType, byteSize, sha256, blobKey } = file;
    const { accountId: ownerId } = actor;
    const originalFilename = cleanFilename(filename);
    const title = documentTitle(givenTitle, originalFilename);
    const accept = async (id: string): Promise<AcceptedUpload> => {
      const earlier = key === undefined ? undefined : await documents.find(id);
      if (earlier) return { id, receivedAt: earlier.receivedAt, blobKey: earlier.blobKey };
      const receivedAt = clock.now();
      await documents.add(
        acceptDocument({ id, ownerId, title, originalFilename, mediaType, byteSize, sha256, blobKey, receivedAt }),
      );
      await attempt(jobs.enqueue(RECOGNIZE_JOB, {}), 'queueing the job of an accepted document; the sweep will do it');
      await attempt(indexDocument(ports)(id), 'indexing an accepted document; its worker will do it');
      return { id, receivedAt, blobKey };
    };
    const fingerprint = JSON.stringify(['upload', sha256, originalFilename, title]);
    const answer = await once({ accountId: ownerId, key, fingerprint, holdMs: HOLD_MS }, async (id) =>
      JSON.stringify(await accept(id)),
    );
    const accepted: AcceptedUpload = JSON.parse(answer);
    return accepted;
  };
};
