/** The media types of the files that are read. */
export const mediaTypes = ['image/jpeg', 'image/png', 'application/pdf'] as const;

export type MediaType = (typeof mediaTypes)[number];

/** So many first bytes of a file tell its media type (PDF readers look for the header within the first 1,024). */
export const SNIFF_BYTES = 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_START = [0xff, 0xd8, 0xff];
const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d];
const UTF8_BOM = [0xef, 0xbb, 0xbf];
const WHITE_SPACE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);

const startsWith = (bytes: Uint8Array, prefix: readonly number[], at = 0): boolean =>
  prefix.every((byte, i) => bytes[at + i] === byte);

/**
 * The media type that the first bytes of a file (at least {@link SNIFF_BYTES}, or all of it) show; `undefined` if it is
 * none of ours. Names and declared types do not count. A PDF header may follow a byte order mark and white space, as
 * real files have them, and nothing else: `%PDF-` inside a PostScript comment makes no PDF.
 */
export const sniffMediaType = (head: Uint8Array): MediaType | undefined => {
  if (startsWith(head, JPEG_START)) return 'image/jpeg';
  if (startsWith(head, PNG_SIGNATURE)) return 'image/png';
  let at = startsWith(head, UTF8_BOM) ? UTF8_BOM.length : 0;
  while (at < SNIFF_BYTES && WHITE_SPACE.has(head[at] ?? -1)) at++;
  return startsWith(head, PDF_HEADER, at) ? 'application/pdf' : undefined;
};
