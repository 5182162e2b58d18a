import type { GreyImage, Orientation, PageText } from '@palimpsest/core';

/** A model of Tesseract: a language code and the path of its file. */
export interface Model {
  readonly code: string;
  readonly file: string;
}

/** The request to a child for recognition. */
export interface RecognizeRequest {
  readonly image: GreyImage;
  readonly models: readonly Model[];
  readonly threshold: 'global' | 'adaptive';
}

/** The request to a child for orientation. */
export interface OrientRequest {
  readonly image: GreyImage;
  readonly model: Model;
}

/** The answer of a child for recognition. */
export type RecognizeAnswer = PageText;
/** The answer of a child for orientation; `undefined` if the orientation is unknown. */
export type OrientAnswer = Orientation | undefined;
