import { inspectUpload, type InspectedUpload } from '../../document/upload.ts';
import type { Ports } from '../../ports/index.ts';

/** A file that lies in the blob store and is of a type that we read, but belongs to no document yet. */
export interface ReceivedFile extends InspectedUpload {
  readonly blobKey: string;
}

/**
 * Streams an uploaded file to the blob store while it is checked. Resolves when the file is durable. Throws `EMPTY_FILE`,
 * `UNSUPPORTED_FILE_TYPE`, `FILE_TOO_LARGE`, or what `source` throws; then nothing is kept. A file that is given up
 * before it has a document is to be handed to {@link discardFile}; if the process dies first, the sweep removes it.
 */
export const receiveFile =
  ({ blobs, checksums, ids }: Pick<Ports, 'blobs' | 'checksums' | 'ids'>) =>
  async (source: AsyncIterable<Uint8Array>): Promise<ReceivedFile> => {
    const blobKey = `originals/${ids.next()}`;
    const upload = inspectUpload(source, checksums.sha256());
    await blobs.put(blobKey, upload.bytes);
    return { blobKey, ...upload.verdict() };
  };

/** Removes a received file that will not become a document. If that fails now, the sweep does it later. */
export const discardFile =
  ({ blobs, faults }: Pick<Ports, 'blobs' | 'faults'>) =>
  async (file: ReceivedFile): Promise<void> => {
    try {
      await blobs.delete(file.blobKey);
    } catch (error) {
      faults.report(error, 'removing a file that became no document');
    }
  };
