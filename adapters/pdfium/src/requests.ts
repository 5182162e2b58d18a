import type { Word } from '@palimpsest/core';

/** What a child is asked. A page of a document that it does not hold open is answered with `unopened`. */
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
