import type { DocumentFields } from '../../document/document.ts';
import { onStore } from '../../document/store-errors.ts';
import { MAX_UPLOAD_BYTES } from '../../document/upload.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * The whole file of a document, with a verified checksum. Throws `SOURCE_MISSING`, `SOURCE_CHANGED` or
 * `SERVICE_UNAVAILABLE`.
 */
export const readOriginal = async (
  { blobs, checksums }: Pick<Ports, 'blobs' | 'checksums'>,
  document: DocumentFields,
): Promise<Uint8Array> => {
  const changed = (): AppError =>
    new AppError('SOURCE_CHANGED', 'The stored file is not the uploaded file any more. Upload the document again.');
  const source = await onStore(blobs.get(document.blobKey));
  if (!source) {
    throw new AppError('SOURCE_MISSING', 'The stored file of this document is missing. Upload the document again.');
  }
  if (document.byteSize > MAX_UPLOAD_BYTES) throw changed();
  const file = new Uint8Array(document.byteSize);
  const checksum = checksums.sha256();
  let at = 0;
  const fill = async (): Promise<void> => {
    for await (const chunk of source) {
      if (at + chunk.length > file.length) throw changed();
      file.set(chunk, at);
      checksum.update(chunk);
      at += chunk.length;
    }
  };
  await onStore(fill());
  if (at !== document.byteSize || checksum.hex() !== document.sha256) throw changed();
  return file;
};
