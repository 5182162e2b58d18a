import type { GreyImage, PreparationStep } from '@palimpsest/core';

/** The requests to a child. */
export type ImageRequest =
  | { readonly kind: 'inspect'; readonly file: Uint8Array; readonly maxPixels: number }
  | { readonly kind: 'decode'; readonly file: Uint8Array; readonly maxPixels: number }
  | { readonly kind: 'assess'; readonly image: GreyImage }
  | { readonly kind: 'prepare'; readonly image: GreyImage; readonly steps: readonly PreparationStep[] }
  | { readonly kind: 'encode'; readonly image: GreyImage };

/** The answer to `decode`. */
export type DecodedAnswer = GreyImage & { readonly dpi?: number };
