// pdf-lib embeds font files only, and no font covers all scripts. This file builds a TrueType font with invisible
// glyphs. It has the tables that a font inside a PDF needs (ISO 32000-1, 9.9) and the tables that strict readers
// require in addition. Their layout follows the OpenType specification. All numbers are big-endian.

const UNITS_PER_EM = 1000;
/** The width of every glyph, in thousandths of the font size. */
export const GLYPH_WIDTH = 500;
/** The height of the font above the baseline, in thousandths of the font size. It has no descent. */
export const ASCENT = 1000;

const words16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16BE(value & 0xffff, 2 * i));
  return bytes;
};

const words32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};

const GLYPHS = 2; // .notdef, and one glyph for every character; only the second one has an outline

const OUTLINE_TOP = 985; // PDFium adds 1/64, which gives the ascent

/**
 * An outline from one corner of the character cell to the opposite corner and back. It has no area, so nothing is
 * painted. PDFium needs it, because it computes the boxes of characters from their outlines.
 */
const glyph = (): Buffer =>
  Buffer.concat([
    words16(1, 0, 0, GLYPH_WIDTH, OUTLINE_TOP, 1, 0), // contours, bounds, last point of the contour, instructions
    Buffer.from([0x31, 0x01]), // two points on the curve: (0, 0) and one with 16-bit offsets
    words16(GLYPH_WIDTH, OUTLINE_TOP),
  ]);

const head = (): Buffer =>
  Buffer.concat([
    words32(0x00010000, 0x00010000, 0, 0x5f0f3cf5), // versions, checksum adjustment (set below), magic number
    words16(0x000b, UNITS_PER_EM), // flags: baseline at 0, left side at 0, whole advances
    Buffer.alloc(16), // created, modified: not set
    words16(0, 0, GLYPH_WIDTH, ASCENT), // bounds
    words16(0, 8, 2, 0, 0), // style, smallest size, direction, short loca offsets, glyph format
  ]);

const hhea = (): Buffer =>
  Buffer.concat([
    words32(0x00010000),
    words16(ASCENT, 0, 0, GLYPH_WIDTH, 0, 0, GLYPH_WIDTH, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS),
  ]);

const maxp = (): Buffer => Buffer.concat([words32(0x00010000), words16(GLYPHS, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]);

const hmtx = (): Buffer => words16(...Array.from({ length: GLYPHS }, () => [GLYPH_WIDTH, 0]).flat());

/**
 * An empty character map (format 4 with the closing segment only), because the PDF maps characters to glyphs itself.
 */
const cmap = (): Buffer =>
  Buffer.concat([words16(0, 1, 3, 1), words32(12), words16(4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0)]);

const NAME = 'PalimpsestGlyphless';

const name = (): Buffer => {
  const text = Buffer.from(NAME, 'utf16le').swap16();
  const records = [1, 4, 6].map((id) => words16(3, 1, 0x0409, id, text.length, 0));
  return Buffer.concat([words16(0, records.length, 6 + 12 * records.length), ...records, text]);
};

const post = (): Buffer => Buffer.concat([words32(0x00030000, 0), words16(0, 0), words32(1, 0, 0, 0, 0)]);

const checksum = (table: Buffer): number => {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
};

const padded = (table: Buffer): Buffer => Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);

/** A TrueType font with invisible glyphs of width {@link GLYPH_WIDTH}. */
export const glyphlessFont = (): Uint8Array => {
  const tables: readonly (readonly [tag: string, data: Buffer])[] = [
    ['cmap', cmap()],
    ['glyf', glyph()],
    ['head', head()],
    ['hhea', hhea()],
    ['hmtx', hmtx()],
    ['loca', words16(0, 0, glyph().length / 2)],
    ['maxp', maxp()],
    ['name', name()],
    ['post', post()],
  ];
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const header = Buffer.concat([
    words32(0x00010000),
    words16(tables.length, 16 * power, Math.log2(power), 16 * (tables.length - power)),
  ]);
  let offset = header.length + 16 * tables.length;
  const [records, bodies]: [Buffer[], Buffer[]] = [[], []];
  for (const [tag, data] of tables) {
    const body = padded(data);
    records.push(Buffer.concat([Buffer.from(tag), words32(checksum(body), offset, data.length)]));
    bodies.push(body);
    offset += body.length;
  }
  const font = Buffer.concat([header, ...records, ...bodies]);
  const headAt = font.readUInt32BE(header.length + 16 * tables.findIndex(([tag]) => tag === 'head') + 8);
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, headAt + 8); // the checksum of the whole font must be this constant
  return font;
};
