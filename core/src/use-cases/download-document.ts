import type { VisibleDocument } from '../document/document.ts';
import type { Actor } from '../document/visibility.ts';
import { AppError } from '../errors.ts';
import type { ByteRange } from '../ports/blob-store.ts';
import type { Ports } from '../ports/index.ts';
import { findVisible } from './get-document.ts';

/** The original file as it was uploaded, byte for byte. Throws `DOCUMENT_NOT_FOUND` or `FILE_NOT_STORED`. */
export const downloadDocument =
  (ports: Pick<Ports, 'documents' | 'blobs'>) =>
  async (
    actor: Actor,
    id: string,
    range?: ByteRange,
  ): Promise<{ document: VisibleDocument; bytes: AsyncIterable<Uint8Array> }> => {
    const document = await findVisible(ports)(actor, id);
    const bytes = await ports.blobs.get(document.blobKey, range);
    if (!bytes) throw new AppError('FILE_NOT_STORED', 'No file is stored for this document.');
    return { document, bytes };
  };
