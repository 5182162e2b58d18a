import { inspectUpload, type InspectedUpload } from '../../document/upload.ts';
import type { Ports } from '../../ports/index.ts';

/** A file in the blob store, of a supported type, that belongs to no document yet. */
export interface ReceivedFile extends InspectedUpload {
  readonly blobKey: string;
}

/**
 * Streams an uploaded file to the blob store and checks it meanwhile. Resolves when the file is durable. Throws
 * `EMPTY_FILE`, `UNSUPPORTED_FILE_TYPE`, `FILE_TOO_LARGE`, or the error of `source`; then nothing is stored. A caller
 * that does not pass the file to `uploadDocument` must discard it with {@link discardFile}; if the process dies first,
 * the file cleanup removes it.
 */
export const receiveFile =
  ({ blobs, checksums, ids }: Pick<Ports, 'blobs' | 'checksums' | 'ids'>) =>
  async (source: AsyncIterable<Uint8Array>): Promise<ReceivedFile> => {
    const blobKey = `originals/${ids.next()}`;
    const upload = inspectUpload(source, checksums.sha256());
    await blobs.put(blobKey, upload.bytes);
    return { blobKey, ...upload.result() };
  };

/** Removes a received file that does not become a document. If that fails, the file cleanup removes it later. */
export const discardFile =
  ({ blobs, faults }: Pick<Ports, 'blobs' | 'faults'>) =>
  async (file: ReceivedFile): Promise<void> => {
    try {
      await blobs.delete(file.blobKey);
    } catch (error) {
      faults.report(error, 'removing a file without a document; the file cleanup removes it');
    }
  };
