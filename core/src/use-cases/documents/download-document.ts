import type { ByteRange } from '../../document/blob.ts';
import type { VisibleDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { findVisible } from './find-document.ts';

/** The original file of a document. It can be opened whole or in part. */
export interface OriginalFile {
  readonly document: VisibleDocument;
  /** The bytes as they were uploaded. Throws `FILE_NOT_STORED` if the file was removed meanwhile. */
  readonly open: (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>;
}

const notStored = (): AppError => new AppError('FILE_NOT_STORED', 'No file is stored for this document.');

/** The original file as it was uploaded, byte for byte. Throws `DOCUMENT_NOT_FOUND` or `FILE_NOT_STORED`. */
export const downloadDocument =
  (ports: Pick<Ports, 'documents' | 'blobs'>) =>
  async (actor: Actor, id: string): Promise<OriginalFile> => {
    const document = await findVisible(ports)(actor, id);
    if (!(await ports.blobs.stat(document.blobKey))) {
      await findVisible(ports)(actor, id); // throws if the document was deleted meanwhile
      throw notStored();
    }
    const open = async (range?: ByteRange): Promise<AsyncIterable<Uint8Array>> => {
      const bytes = await ports.blobs.get(document.blobKey, range);
      if (!bytes) throw notStored();
      return bytes;
    };
    return { document, open };
  };
