import { AppError } from '../errors.ts';
import { SNIFF_BYTES, sniffMediaType, type MediaType } from './media-type.ts';

/** A SHA-256 (FIPS 180-4) that is computed step by step. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** The digest of all bytes, 64 lowercase hexadecimal digits. Called once, at the end. */
  hex(): string;
}

/** The largest file that is accepted. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** The properties of a file that was read to its end. */
export interface InspectedUpload {
  readonly mediaType: MediaType;
  readonly byteSize: number;
  readonly sha256: string;
}

/** The error for a file over {@link MAX_UPLOAD_BYTES}. */
export const fileTooLarge = (): AppError =>
  new AppError('FILE_TOO_LARGE', 'The file is larger than 25 MB (26,214,400 bytes). Upload a smaller one.');

const concat = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

/**
 * Forwards the bytes of an upload and checks them: the first bytes must show a supported type, and the size must not
 * exceed the limit. No byte is forwarded before the type is known. `result` may be called after the last byte. The
 * iteration throws `EMPTY_FILE`, `UNSUPPORTED_FILE_TYPE` or `FILE_TOO_LARGE`.
 */
export const inspectUpload = (
  source: AsyncIterable<Uint8Array>,
  checksum: RunningChecksum,
): { readonly bytes: AsyncIterable<Uint8Array>; readonly result: () => InspectedUpload } => {
  let mediaType: MediaType | undefined;
  let byteSize = 0;
  let ended = false;

  const requireMediaType = (head: Uint8Array): MediaType => {
    const found = sniffMediaType(head);
    if (found) return found;
    throw new AppError(
      'UNSUPPORTED_FILE_TYPE',
      'This is not a JPEG, PNG or PDF file by its content. Upload one of these.',
    );
  };

  async function* bytes(): AsyncGenerator<Uint8Array> {
    let head: Uint8Array[] = [];
    let headSize = 0;
    for await (const chunk of source) {
      byteSize += chunk.length;
      if (byteSize > MAX_UPLOAD_BYTES) throw fileTooLarge();
      checksum.update(chunk);
      if (mediaType) {
        yield chunk;
        continue;
      }
      head.push(Uint8Array.from(chunk)); // a copy, because the source may reuse its memory
      headSize += chunk.length;
      if (headSize < SNIFF_BYTES) continue;
      const first = concat(head, headSize);
      head = [];
      mediaType = requireMediaType(first);
      yield first;
    }
    if (byteSize === 0) throw new AppError('EMPTY_FILE', 'The file is empty. Upload a file with content.');
    if (!mediaType) {
      const first = concat(head, headSize);
      mediaType = requireMediaType(first);
      yield first;
    }
    ended = true;
  }

  return {
    bytes: bytes(),
    result: () => {
      if (!ended || !mediaType) throw new TypeError('The upload has not been read to its end');
      return { mediaType, byteSize, sha256: checksum.hex() };
    },
  };
};
