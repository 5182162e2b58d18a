import { createHash } from 'node:crypto';
import { turnBox, turnedSize } from '@palimpsest/core';
import type { BoundingBox, QuarterTurn, Size } from '@palimpsest/core';

/** A page with one black mark and optionally a line of text. Numbers are points from the lower left. */
export interface MarkedPage {
  readonly media: readonly [left: number, bottom: number, right: number, top: number];
  readonly crop?: readonly [left: number, bottom: number, right: number, top: number];
  readonly rotate?: QuarterTurn;
  readonly mark: readonly [left: number, bottom: number, right: number, top: number];
  readonly line?: { readonly text: string; readonly x: number; readonly y: number }; // in 12 points
  readonly before?: string; // operators before the mark is drawn
  readonly after?: string; // operators at the end of the content
}

/** Unusual features of a file. */
export interface PdfOddities {
  readonly inherits?: boolean; // all pages inherit the boxes and resources of the first one from the page tree
  readonly crossReferences?: 'broken';
  readonly protectedBy?: 'owner'; // protected against changes, with 40-bit RC4; opens without a password
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const rc4 = (key: Uint8Array, data: Uint8Array): Buffer => {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number): void => void ([state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 0xff;
      j = (j + (state[i] ?? 0)) & 0xff;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 0xff] ?? 0);
    }),
  );
};

const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

// ISO 32000-1, 7.6.3: revision 2 of the standard security handler.
const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const PERMISSIONS = -44; // no copying, no changes
const KEY_BYTES = 5;

const ownerProtection = (): { readonly entry: string; readonly encrypt: (number: number, data: Buffer) => Buffer } => {
  const owner = rc4(md5(Buffer.concat([latin1('owner'), PADDING]).subarray(0, 32)).subarray(0, KEY_BYTES), PADDING);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const key = md5(PADDING, owner, permissions, id).subarray(0, KEY_BYTES);
  const user = rc4(key, PADDING);
  return {
    entry:
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P ${PERMISSIONS} >> ` +
      `/ID [<${id.toString('hex')}> <${id.toString('hex')}>]`,
    encrypt: (number, data) => {
      const salt = Buffer.from([number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff, 0, 0]);
      return rc4(md5(key, salt).subarray(0, KEY_BYTES + 5), data);
    },
  };
};

const contentOf = ({ mark: [left, bottom, right, top], line, before = '', after = '' }: MarkedPage): string =>
  `${before}\n0 g ${left} ${bottom} ${right - left} ${top - bottom} re f\n` +
  (line === undefined ? '' : `BT /F1 12 Tf ${line.x} ${line.y} Td (${line.text}) Tj ET\n`) +
  after;

const DESCRIPTION = /^%\u0020(\[.*\])$/m;

/** The arguments from which {@link markedPdf} made the file, for fake readers. */
export const describedPages = (file: Uint8Array): readonly MarkedPage[] | undefined => {
  const text = DESCRIPTION.exec(Buffer.from(file.subarray(0, 5000)).toString())?.[1];
  const pages: readonly MarkedPage[] | undefined = text === undefined ? undefined : JSON.parse(text);
  return pages;
};

/** A PDF file with text in Helvetica. A comment in it contains the arguments. */
export const markedPdf = (
  pages: readonly MarkedPage[],
  { inherits = false, crossReferences, protectedBy }: PdfOddities = {},
): Uint8Array => {
  const protection = protectedBy === undefined ? undefined : ownerProtection();
  const resources = '/Resources << /Font << /F1 3 0 R >> >>';
  const boxes = ({ media, crop, rotate = 0 }: MarkedPage): string =>
    `/MediaBox [${media.join(' ')}] ${crop === undefined ? '' : `/CropBox [${crop.join(' ')}]`} /Rotate ${rotate}`;
  const [first] = pages;
  const streamOf = (number: number, content: string): Buffer => {
    const data = protection?.encrypt(number, latin1(content)) ?? latin1(content);
    return Buffer.concat([latin1(`<< /Length ${data.length} >>\nstream\n`), data, latin1('\nendstream')]);
  };
  const bodies = [
    latin1('<< /Type /Catalog /Pages 2 0 R >>'),
    latin1(
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] ` +
        `${inherits && first !== undefined ? `${resources} ${boxes(first)}` : ''} >>`,
    ),
    latin1('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((page, i) => [
      latin1(
        `<< /Type /Page /Parent 2 0 R ${inherits ? '' : `${resources} ${boxes(page)}`} /Contents ${5 + 2 * i} 0 R >>`,
      ),
      streamOf(5 + 2 * i, contentOf(page)),
    ]),
  ];
  const parts = [latin1(`%PDF-1.7\n% ${JSON.stringify(pages)}\n`)];
  let length = parts[0]?.length ?? 0;
  const offsets = bodies.map((body, i) => {
    const object = Buffer.concat([latin1(`${i + 1} 0 obj\n`), body, latin1('\nendobj\n')]);
    parts.push(object);
    length += object.length;
    return length - object.length;
  });
  const shift = crossReferences === 'broken' ? 1000 : 0;
  const table = offsets.map((offset) => `${String(offset + shift).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  parts.push(
    latin1(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${protection?.entry ?? ''} >>\nstartxref\n${length + shift}\n%%EOF\n`,
    ),
  );
  return Uint8Array.from(Buffer.concat(parts));
};

/** The size of the displayed page in points. */
export const shownSize = ({ media, crop = media, rotate = 0 }: MarkedPage): Size =>
  turnedSize({ width: crop[2] - crop[0], height: crop[3] - crop[1] }, rotate);

/** The box of the mark on the displayed page, in points from the top left. */
export const shownMark = ({
  media,
  crop = media,
  mark: [left, bottom, right, top],
  rotate = 0,
}: MarkedPage): BoundingBox =>
  turnBox(
    [left - crop[0], crop[3] - top, right - crop[0], crop[3] - bottom],
    { width: crop[2] - crop[0], height: crop[3] - crop[1] },
    rotate,
  );
