import type { Word } from '@palimpsest/core';

/** The requests to a child. `render` and `read` refer to the file that was opened last. */
export type PdfRequest =
  | { readonly kind: 'open'; readonly file: Uint8Array }
  | { readonly kind: 'render' | 'read'; readonly number: number; readonly maxPixels: number };

export interface OpenedAnswer {
  readonly pageCount: number;
}

export interface ImageAnswer {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly dpi: number;
}

export interface TextAnswer {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly words: readonly Word[];
}
