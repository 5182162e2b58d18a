/** The office formats for exports. */
export const exportFormats = ['docx', 'xlsx'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** One line of a text with its position. */
export interface ExportedLine {
  readonly text: string; // without its line end; only characters that XML allows (see `xmlSafe`)
  readonly page: number; // from 1
  readonly startsPage: boolean; // the first line of a page, also of the first page
  readonly startsParagraph: boolean; // the first line of a page, or a line with text after an empty one
}

/** The content of an export. */
export interface ExportedText {
  readonly heading: string | undefined; // the title, if pages and paragraphs are formatted; `undefined`: plain text
  readonly lines: () => Iterable<ExportedLine>; // in order; each call starts at the first line
}
