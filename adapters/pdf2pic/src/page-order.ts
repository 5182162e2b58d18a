/** What the child is asked: page `number` of `file`, in pixels, rendered at so many dots per inch. */
export interface PageOrder {
  readonly file: string;
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** The page is written into a file of this name, its number, and `.pgm`. */
export const PAGE_FILE = 'page';
