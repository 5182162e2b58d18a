import type { WorkRules } from '../../document/lifecycle.ts';
import type { ReadingSettings } from './open-file.ts';

/** How documents are read, with the limits of each page and of each document. */
export interface RecognitionSettings extends ReadingSettings {
  readonly maxPages: number;
  readonly documentTimeoutMs: number; // for the work on all pages; the time in which pages wait for a slot does not count
  readonly pagesAtOnce: number; // pages recognized at once, of all documents together; 1 or more
}

/** How documents are read, leased and tried again. */
export type WorkSettings = RecognitionSettings & WorkRules;
