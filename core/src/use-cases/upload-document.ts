import type { QueuedDocument } from '../document/document.ts';
import { cleanFilename, MAX_FILENAME_CHARACTERS } from '../document/filename.ts';
import { acceptDocument } from '../document/lifecycle.ts';
import { documentTitle } from '../document/title.ts';
import type { Actor } from '../document/visibility.ts';
import { AppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import type { ReceivedFile } from './receive-file.ts';

/** The kind of the jobs that bring a worker to the next document; each is good for one document, whichever it is. */
export const RECOGNIZE_JOB = 'recognize';

export interface UploadRequest {
  readonly actor: Actor;
  readonly file: ReceivedFile;
  readonly filename: string;
  readonly title?: string;
}

/**
 * Makes a received file a document that waits to be read. When it resolves, the document is durable, and the document
 * alone says that there is work: if its job cannot be queued now, the sweep queues one. Throws `VALIDATION_ERROR` for a
 * name or title that is too long; then the caller still has the file.
 */
export const uploadDocument =
  ({ documents, jobs, clock, faults }: Pick<Ports, 'documents' | 'jobs' | 'clock' | 'faults'>) =>
  async ({ actor, file, filename, title }: UploadRequest): Promise<QueuedDocument> => {
    if (filename.length > MAX_FILENAME_CHARACTERS) {
      throw new AppError('VALIDATION_ERROR', `file: give it a name of at most ${MAX_FILENAME_CHARACTERS} characters.`);
    }
    const originalFilename = cleanFilename(filename);
    const document = acceptDocument({
      id: file.documentId,
      ownerId: actor.accountId,
      title: documentTitle(title, originalFilename),
      originalFilename,
      mediaType: file.mediaType,
      byteSize: file.byteSize,
      sha256: file.sha256,
      blobKey: file.blobKey,
      receivedAt: clock.now(),
    });
    await documents.add(document);
    try {
      await jobs.enqueue(RECOGNIZE_JOB, {});
    } catch (error) {
      faults.report(error, 'queueing the job of an accepted document; the sweep will do it');
    }
    return document;
  };
