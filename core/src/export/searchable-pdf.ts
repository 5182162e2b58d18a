import type { MediaType } from '../document/media-type.ts';
import type { QuarterTurn, Word } from '../recognition/page.ts';

/** The words to be laid over one page; boxes in pixels of its upright image of `width` by `height`. */
export interface TextOverlay {
  readonly number: number; // from 1
  readonly width: number;
  readonly height: number;
  readonly rotation: QuarterTurn; // clockwise, that sets upright the page as the file asks to show it (EXIF, /Rotate)
  readonly words: readonly Pick<Word, 'text' | 'bbox'>[]; // in reading order; empty for a page that keeps its own text
}

/** The file to be made searchable, whole. */
export interface SearchableSource {
  readonly file: Uint8Array;
  readonly mediaType: MediaType;
}
