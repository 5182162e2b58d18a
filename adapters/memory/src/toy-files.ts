import {
  AppError,
  errorCodes,
  type DecodeLimits,
  type ErrorCode,
  type GreyImage,
  type MediaType,
} from '@palimpsest/core';

/** One page of a toy file. */
export interface ToyPage {
  readonly text?: string; // visible text, which an OCR engine reads
  readonly layer?: string; // text of the text layer
  readonly fault?: ErrorCode; // thrown when the page is read
}

/** The content of a toy file. */
export interface ToyContent {
  readonly pages: readonly ToyPage[];
  readonly fault?: ErrorCode; // thrown when the file is opened
}

// The first bytes of a toy file, which show its media type.
const starts: Readonly<Record<MediaType, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d], // %PDF-
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

const OPENING_BRACE = 0x7b;

/**
 * Makes a toy file: the first bytes of its media type, then its content as JSON in UTF-8. The decoders of this package
 * read only toy files, and no real decoder reads them.
 */
export const toyFile = (content: ToyContent, mediaType: MediaType = 'application/pdf'): Uint8Array =>
  new Uint8Array(Buffer.concat([Uint8Array.from(starts[mediaType]), Buffer.from(JSON.stringify(content))]));

const faultOf = (value: unknown): ErrorCode | undefined => errorCodes.find((code) => code === value);

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

const throwFault = (fault: ErrorCode | undefined): void => {
  if (fault !== undefined) throw new AppError(fault, `The toy file has the fault ${fault}.`);
};

/** The pages of a toy file. Throws `DOCUMENT_DAMAGED`, `DOCUMENT_WITHOUT_PAGES` or the `fault` of the file. */
export const readToyFile = (file: Uint8Array): readonly ToyPage[] => {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(file.subarray(Math.max(0, file.indexOf(OPENING_BRACE)))).toString());
  } catch (cause) {
    throw new AppError('DOCUMENT_DAMAGED', 'This is not a toy file.', { cause });
  }
  throwFault(faultOf(property(content, 'fault')));
  const pages = property(content, 'pages');
  if (!Array.isArray(pages)) throw new AppError('DOCUMENT_DAMAGED', 'This toy file has no list of pages.');
  if (pages.length === 0) throw new AppError('DOCUMENT_WITHOUT_PAGES', 'This toy file has no page.');
  return pages.map((page: unknown) => {
    const [text, layer, fault] = [property(page, 'text'), property(page, 'layer'), faultOf(property(page, 'fault'))];
    return {
      ...(typeof text === 'string' ? { text } : {}),
      ...(typeof layer === 'string' ? { layer } : {}),
      ...(fault === undefined ? {} : { fault }),
    };
  });
};

/** The page with this number, from 1. Throws the `fault` of the page, and a `RangeError` if the page does not exist. */
export const toyPage = (pages: readonly ToyPage[], number: number): ToyPage => {
  const page = pages[number - 1];
  if (page === undefined) throw new RangeError(`There is no page ${number}`);
  throwFault(page.fault);
  return page;
};

const WHITE = 0xff; // marks the end of the text, because UTF-8 never contains this byte

/**
 * The image of a text: the pixels of the first row are the bytes of the text in UTF-8, the second row is white. Throws
 * `PAGE_TOO_LARGE` if the image has more than `maxPixels`.
 */
export const toyImage = (text: string, { maxPixels }: Pick<DecodeLimits, 'maxPixels'>): GreyImage => {
  const bytes = Buffer.from(text);
  const [width, height] = [Math.max(2, bytes.length), 2];
  if (width * height > maxPixels) throw new AppError('PAGE_TOO_LARGE', 'This toy page is too large.');
  const data = new Uint8Array(width * height).fill(WHITE);
  data.set(bytes);
  return { width, height, data };
};

/** The text of a toy image. */
export const readToyImage = ({ width, data }: GreyImage): string => {
  const end = data.indexOf(WHITE);
  return Buffer.from(data.subarray(0, end < 0 ? width : Math.min(end, width))).toString();
};
