/** The office formats that a text is exported in. */
export const exportFormats = ['docx', 'xlsx'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** One line of a text with its place. */
export interface ExportedLine {
  readonly text: string; // without its line end; what XML can hold (see `xmlSafe`)
  readonly page: number; // from 1
  readonly startsPage: boolean; // the first line of a page, of the first page too
  readonly startsParagraph: boolean; // the first line of a page, or one with letters after an empty one
}

/** A text as it is exported. */
export interface ExportedText {
  readonly heading: string | undefined; // the title as heading, with pages and paragraphs kept apart; `undefined`: the text alone
  readonly lines: () => Iterable<ExportedLine>; // in order; may be asked for again
}
