import { AppError } from '../errors.ts';

/** A rectangle in pixels of the page image: left, top, right, bottom; origin top left, right and bottom exclusive. */
export type BoundingBox = readonly [x0: number, y0: number, x1: number, y1: number];

/** One word on the page. `line` and `block` count from 0 in reading order over the whole page. */
export interface Word {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly bbox: BoundingBox;
  readonly line: number;
  readonly block: number;
}

/** The result of reading one image or one text layer. `words` are in reading order. */
export interface PageText {
  readonly text: string; // lines end with \n, an empty line separates paragraphs
  readonly confidence: number; // 0..1, the mean of the words; 0 without words
  readonly words: readonly Word[];
}

export type QuarterTurn = 0 | 90 | 180 | 270;

/**
 * One page of a document after recognition. `width` and `height` are the pixels of the upright page image, which the
 * boxes of `words` refer to; `rotation` is the clockwise rotation from the stored page to the upright page.
 */
export interface RecognizedPage extends PageText {
  readonly number: number; // from 1
  readonly width: number;
  readonly height: number;
  readonly rotation: QuarterTurn;
  readonly source: 'ocr' | 'text_layer';
  readonly engine: string; // the engine's name, `pdf-text` for a text layer
  readonly language: string; // the Tesseract language string that was used, such as `eng+deu`
}

/** An image of 8-bit grey pixels, row by row without padding: `data.length === width * height`, 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The text layer of one page; `width`, `height` and the boxes in pixels of the upright page image. */
export interface TextLayerPage extends PageText {
  readonly width: number;
  readonly height: number;
}

/** A page without its words. */
export type PageWithoutWords = Omit<RecognizedPage, 'words'>;

/** The error for a page number that the document does not have. */
export const pageNotFound = (): AppError =>
  new AppError('PAGE_NOT_FOUND', 'The document has no page with this number.');
