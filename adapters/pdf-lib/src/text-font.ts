import { PDFString, type PDFContext, type PDFRef } from '@cantoo/pdf-lib';
import { ASCENT, GLYPH_WIDTH, glyphlessFont } from './glyphless-font.ts';

const MAX_CHARACTERS = 65_000; // different characters in one document; the limit of two-byte codes
const BLOCK = 100; // maximal number of entries in a block of a CMap
const FONT_NAME = 'PalimpsestGlyphless';

const hex4 = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');

const utf16Hex = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => hex4(text.charCodeAt(i))).join('');

/** A CMap from codes to text (ISO 32000-1, 9.10.3). */
const toUnicodeMap = (codes: ReadonlyMap<string, number>): string => {
  const entries = [...codes].map(([character, code]) => `<${hex4(code)}> <${utf16Hex(character)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < entries.length; at += BLOCK) {
    const block = entries.slice(at, at + BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end\nend',
  ].join('\n');
};

/** The font for all invisible text of a document. Each different character, in any script, gets its own code. */
export class TextFont {
  /** The reference for resource dictionaries. `embed` adds the objects of the font. */
  readonly ref: PDFRef;
  readonly #context: PDFContext;
  readonly #codes = new Map<string, number>();

  constructor(context: PDFContext) {
    this.#context = context;
    this.ref = context.nextRef();
  }

  /** The codes of these characters in hexadecimal digits, for a string in a content stream. */
  encode(characters: readonly string[]): string {
    return characters.map((character) => hex4(this.#codeOf(character))).join('');
  }

  /** Adds the font to the document. Call it after all text is encoded. */
  embed(): void {
    const context = this.#context;
    const mapped = Buffer.alloc(2 * (this.#codes.size + 1), Buffer.from([0, 1])); // maps all codes to glyph 1
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: FONT_NAME,
      Flags: 4, // symbolic
      FontBBox: [0, 0, GLYPH_WIDTH, ASCENT],
      ItalicAngle: 0,
      Ascent: ASCENT,
      Descent: -1, // readers treat 0 as a missing value
      CapHeight: ASCENT,
      StemV: 80,
      FontFile2: context.register(context.flateStream(glyphlessFont())),
    });
    const descendant = context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: FONT_NAME,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: context.register(descriptor),
      DW: GLYPH_WIDTH,
      CIDToGIDMap: context.register(context.flateStream(mapped)),
    });
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: FONT_NAME,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(context.flateStream(toUnicodeMap(this.#codes))),
    });
    context.assign(this.ref, font);
  }

  #codeOf(character: string): number {
    const known = this.#codes.get(character);
    if (known !== undefined) return known;
    if (this.#codes.size >= MAX_CHARACTERS) return this.#codes.get('\uFFFD') ?? 0;
    const code = this.#codes.size + 1; // 0 is the missing glyph
    this.#codes.set(character, code);
    return code;
  }
}
