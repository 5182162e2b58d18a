import { inspectUpload, type InspectedUpload } from '../../document/upload.ts';
import type { Ports } from '../../ports/index.ts';

/** A file in the blob store, of a supported type, that belongs to no document yet. */
export interface ReceivedFile extends InspectedUpload {
  readonly blobKey: string;
}

/** Receives one file. */
export type ReceiveFile = (source: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>;

/**
 * Streams an uploaded file to the blob store and checks it meanwhile. Resolves when the file is durable. Throws
 * `EMPTY_FILE`, `UNSUPPORTED_FILE_TYPE`, `FILE_TOO_LARGE`, or the error of `source`; then nothing is stored. A caller
 * that may not pass the file to `uploadDocument` uses {@link receiveOrDiscard}. If the process dies first, the file
 * cleanup removes the file.
 */
export const receiveFile =
  ({ blobs, checksums, ids }: Pick<Ports, 'blobs' | 'checksums' | 'ids'>): ReceiveFile =>
  async (source) => {
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

/**
 * Runs `work`, which receives files with the {@link receiveFile} that it gets. If `work` throws, the files are
 * discarded before the error is thrown; a file that is still arriving is discarded when it has been received.
 */
export const receiveOrDiscard = (ports: Pick<Ports, 'blobs' | 'checksums' | 'ids' | 'faults'>) => {
  const receive = receiveFile(ports);
  const discard = discardFile(ports);
  return async <T>(work: (receive: ReceiveFile) => Promise<T>): Promise<T> => {
    const received: ReceivedFile[] = [];
    let hasFailed = false;
    const receiveForWork: ReceiveFile = async (source) => {
      const file = await receive(source);
      received.push(file);
      if (hasFailed) await discard(file);
      return file;
    };
    try {
      return await work(receiveForWork);
    } catch (error) {
      hasFailed = true;
      for (const file of received) await discard(file);
      throw error;
    }
  };
};
