import type { GreyImage, Orientation, PageText } from '@palimpsest/core';

/** A language and the file of its trained data. */
export interface Model {
  readonly code: string;
  readonly file: string;
}

/** What a child for recognition is asked. */
export interface RecognizeRequest {
  readonly image: GreyImage;
  readonly models: readonly Model[];
  readonly threshold: 'global' | 'adaptive';
}

/** What a child for orientation is asked. */
export interface OrientRequest {
  readonly image: GreyImage;
  readonly model: Model;
}

export type RecognizeAnswer = PageText;
export type OrientAnswer = Orientation | undefined;
