/** A rectangle in pixels of the page image: left, top, right, bottom; origin top left, right and bottom exclusive. */
export type BoundingBox = readonly [x0: number, y0: number, x1: number, y1: number];

/** One word as it stands on the page. `line` and `block` count from 0 in reading order over the whole page. */
export interface Word {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly bbox: BoundingBox;
  readonly line: number;
  readonly block: number;
}

/** What reading one image or one text layer gives. `words` are in reading order. */
export interface PageText {
  readonly text: string; // lines end in \n, paragraphs are parted by an empty line
  readonly confidence: number; // 0..1, the mean over the words; 0 where there is none
  readonly words: readonly Word[];
}

export type QuarterTurn = 0 | 90 | 180 | 270;

/**
 * One page of a document after recognition. `width` and `height` are the pixels of the upright page image, to which
 * the boxes of `words` refer; `rotation` is how far the stored page was turned clockwise to stand upright.
 */
export interface RecognizedPage extends PageText {
  readonly number: number; // from 1
  readonly width: number;
  readonly height: number;
  readonly rotation: QuarterTurn;
  readonly source: 'ocr' | 'text_layer';
  readonly engine: string; // the engine's name, `pdf-text` for a text layer
  readonly language: string; // Tesseract language string in force, `eng+deu`
}

/** Eight-bit grey pixels, row by row without padding: `data.length === width * height`, 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The text that a file carries for one page; `width`, `height` and the boxes in pixels of the upright page image. */
export interface TextLayerPage extends PageText {
  readonly width: number;
  readonly height: number;
}

/** A page without its words. */
export type PageWithoutWords = Omit<RecognizedPage, 'words'>;
