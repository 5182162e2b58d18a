import type { Revision } from './revision.ts';

/** The recognized text of a document with the newest revision. */
export interface OcrView {
  readonly engine: string;
  readonly language: string;
  readonly text: string; // as it was recognized, pages joined by form feeds
  readonly revision: Revision | undefined;
}

/** The current text of a document: the newest revision, otherwise the recognized text. */
export const currentText = ({ text, revision }: OcrView): string => revision?.text ?? text;
