import { readFile } from 'node:fs/promises';
import { crc32, deflateSync, gunzipSync } from 'node:zlib';
import type { BoundingBox, Cancellation, GreyImage } from '@palimpsest/core';

/** A signal that never aborts. */
export const neverAborted = (): Cancellation => new AbortController().signal;

const fixture = (name: string): Promise<Buffer> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));

/** An image of a page of text at about 300 dpi, and its text. An empty line separates paragraphs. */
export interface TextSample {
  readonly image: GreyImage;
  readonly text: string;
}

/** One of two pages of text, 1240 pixels wide. */
export const textSample = async (name: 'harbour' | 'orchard'): Promise<TextSample> => {
  const pgm = gunzipSync(await fixture(`${name}.pgm.gz`));
  const endOfHeader = pgm.indexOf('\n') + 1;
  const [, width, height] = pgm.subarray(0, endOfHeader).toString().split(' ').map(Number);
  const image = { width: width ?? 0, height: height ?? 0, data: Uint8Array.from(pgm.subarray(endOfHeader)) };
  return { image, text: (await fixture(`${name}.txt`)).toString().trim() };
};

/** A JPEG file of 40 x 60 pixels when upright; its mark fills the box [32, 0, 40, 16]. It is stored rotated, with EXIF. */
export const markedExifJpeg = async (): Promise<Uint8Array> => Uint8Array.from(await fixture('mark-exif6.jpg'));

/** A CMYK JPEG file of 60 x 40 pixels; its mark fills the box [0, 0, 16, 8]. */
export const markedCmykJpeg = async (): Promise<Uint8Array> => Uint8Array.from(await fixture('mark-cmyk.jpg'));

/** A white image with black marks. */
export const markedImage = (width: number, height: number, ...marks: readonly BoundingBox[]): GreyImage => {
  const data = new Uint8Array(width * height).fill(255);
  for (const [x0, y0, x1, y1] of marks) for (let y = y0; y < y1; y++) data.fill(0, y * width + x0, y * width + x1);
  return { width, height, data };
};

/** The grey value of one pixel. */
export const greyAt = ({ width, data }: GreyImage, x: number, y: number): number => data[y * width + x] ?? Number.NaN;

/** The mean grey value within a box. Choose a box without edges, because renderers smooth edges differently. */
export const greyWithin = (image: GreyImage, [x0, y0, x1, y1]: BoundingBox): number => {
  let sum = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) sum += greyAt(image, x, y);
  return sum / ((x1 - x0) * (y1 - y0));
};

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

const PNG_KINDS = {
  grey: { depth: 8, colour: 0, pixel: (value: number) => [value] },
  'grey of 16 bits': { depth: 16, colour: 0, pixel: (value: number) => [value, value] },
  colour: { depth: 8, colour: 2, pixel: (value: number) => [value, value, value] },
  // The paper is transparent black: the mark is visible only on white.
  transparent: { depth: 8, colour: 6, pixel: (value: number) => [0, 0, 0, 255 - value] },
  'white on transparent': { depth: 8, colour: 6, pixel: (value: number) => [255, 255, 255, value] },
};

/** A kind of PNG file. */
export type PngKind = keyof typeof PNG_KINDS;
export const pngKinds: readonly PngKind[] = ['grey', 'grey of 16 bits', 'colour', 'transparent'];

/** The image as a PNG file. Its header states the size of `declared`. */
export const aPng = (image: GreyImage, kind: PngKind = 'grey', declared = image): Uint8Array => {
  const { depth, colour, pixel } = PNG_KINDS[kind];
  const rows = Array.from({ length: image.height }, (_, y) => [
    0,
    ...Array.from(image.data.subarray(y * image.width, (y + 1) * image.width)).flatMap(pixel),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(declared.width, 0);
  header.writeUInt32BE(declared.height, 4);
  header.set([depth, colour, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Uint8Array.from(
    Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', new Uint8Array())]),
  );
};

/** A page of a PDF: its size in points, its content stream, and its rotation. */
export interface PdfPage {
  readonly size?: readonly [width: number, height: number];
  readonly rotate?: 0 | 90 | 180 | 270;
  readonly content?: string;
}

/** A line of text in Helvetica at a position in points from the lower left corner. */
export const pdfLine = (text: string, x: number, y: number, fontSize = 24): string =>
  `BT /F1 ${fontSize} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`;

/** A black rectangle in points from the lower left corner. */
export const pdfMark = (x: number, y: number, width: number, height: number): string =>
  `0 g ${x} ${y} ${width} ${height} re f\n`;

const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

interface PdfExtras {
  readonly trailer?: string;
  readonly objects?: readonly string[]; // numbered from 4 on; `forms` refers to them
  readonly forms?: string;
}

/** A PDF file. The default page size is Letter. */
export const aPdf = (
  pages: readonly PdfPage[],
  { trailer = '', objects = [], forms = '' }: PdfExtras = {},
): Uint8Array => {
  const firstPage = 4 + objects.length;
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${firstPage + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
    ...pages.flatMap(({ size: [width, height] = [612, 792], rotate = 0, content = '' }, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} ` +
        `/Resources << /Font << /F1 3 0 R >> /XObject << ${forms} >> >> /Contents ${firstPage + 2 * i + 1} 0 R >>`,
      stream(content),
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = bodies.map((body, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Uint8Array.from(
    Buffer.from(
      `${file}${table}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`,
    ),
  );
};

/** A PDF that needs a password. No password matches its digests. */
export const encryptedPdf = (): Uint8Array => {
  const digest = '0123456789abcdef'.repeat(4);
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${digest}> /U <${digest}> /P -4 >> /ID [<00> <00>]`;
  return aPdf([{ content: pdfLine('secret', 72, 700) }], { trailer: encrypt });
};

/** A small PDF with one page that cannot be rendered in time: nested forms, ten in each, eleven levels deep. */
export const bombPdf = (): Uint8Array => {
  const depth = 11;
  const objects = Array.from({ length: depth }, (_, level) =>
    level === depth - 1
      ? stream('0 0 9 9 re f', '/Type /XObject /Subtype /Form /BBox [0 0 612 792]')
      : stream(
          '/X Do '.repeat(10),
          `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X ${5 + level} 0 R >> >>`,
        ),
  );
  return aPdf([{ content: '/X Do' }], { objects, forms: '/X 4 0 R' });
};
