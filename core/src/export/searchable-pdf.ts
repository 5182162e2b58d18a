import type { MediaType } from '../document/media-type.ts';
import type { QuarterTurn, Word } from '../recognition/page.ts';

/** The invisible words of one page; boxes in pixels of its upright image, which has the size `width` by `height`. */
export interface TextOverlay {
  readonly number: number; // from 1
  readonly width: number;
  readonly height: number;
  readonly rotation: QuarterTurn; // clockwise, from the orientation that the file specifies (EXIF, /Rotate) to upright
  readonly words: readonly Pick<Word, 'text' | 'bbox'>[]; // in reading order; empty for a page that keeps its own text
}

/** The complete file from which a searchable PDF is made. */
export interface SearchableSource {
  readonly file: Uint8Array;
  readonly mediaType: MediaType;
}
