/** The media types of the files that can be read. */
export const mediaTypes = ['image/jpeg', 'image/png', 'application/pdf'] as const;

export type MediaType = (typeof mediaTypes)[number];

/**
 * The number of bytes at the start of a file that show its media type (PDF readers search the header in the first
 * 1,024).
 */
export const SNIFF_BYTES = 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_START = [0xff, 0xd8, 0xff];
const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d];
const UTF8_BOM = [0xef, 0xbb, 0xbf];
const WHITE_SPACE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);

const startsWith = (bytes: Uint8Array, prefix: readonly number[], at = 0): boolean =>
  prefix.every((byte, i) => bytes[at + i] === byte);

/**
 * The media type that the first bytes of a file show (at least {@link SNIFF_BYTES}, or the whole file); `undefined` for
 * any other type. File names and declared types are ignored. In a PDF, only a byte order mark and white space may
 * precede the header, as they do in some real files: a PostScript file with `%PDF-` in a comment is not a PDF.
 */
export const sniffMediaType = (head: Uint8Array): MediaType | undefined => {
  if (startsWith(head, JPEG_START)) return 'image/jpeg';
  if (startsWith(head, PNG_SIGNATURE)) return 'image/png';
  let at = startsWith(head, UTF8_BOM) ? UTF8_BOM.length : 0;
  while (at < SNIFF_BYTES && WHITE_SPACE.has(head[at] ?? -1)) at++;
  return startsWith(head, PDF_HEADER, at) ? 'application/pdf' : undefined;
};
