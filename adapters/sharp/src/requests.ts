import type { GreyImage, ImageSigns, PreparationStep } from '@palimpsest/core';

/** What a child is asked. */
export type ImageRequest =
  | { readonly kind: 'inspect'; readonly file: Uint8Array; readonly maxPixels: number }
  | { readonly kind: 'decode'; readonly file: Uint8Array; readonly maxPixels: number }
  | { readonly kind: 'assess'; readonly image: GreyImage }
  | { readonly kind: 'prepare'; readonly image: GreyImage; readonly steps: readonly PreparationStep[] }
  | { readonly kind: 'encode'; readonly image: GreyImage };

export type DecodedAnswer = GreyImage & { readonly dpi?: number };
export type SignsAnswer = ImageSigns;
