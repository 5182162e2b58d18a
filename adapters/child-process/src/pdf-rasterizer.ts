import { damagedPdfPage, pageScale, pdfWithoutPages, turnedSize } from '@palimpsest/core';
import type { Cancellation, DecodeLimits, GreyImage, PdfPageBox, RasterDocument, Rasterizer } from '@palimpsest/core';
import { makePrivateFolder, removePrivateFolder, writePrivateFile } from './private-folder.ts';
import { describeEnd } from './program-result.ts';
import type { ProgramResult } from './program-result.ts';

const PAGES_PER_QUERY = 100; // reading the boxes of 100 pages takes about as long as reading one box

/** The facts about a PDF file that a program prints. */
export interface PdfInfo {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, PdfPageBox>; // by page number, from 1
}

/** A page to render, with the exact size of the image. */
export interface PageToRender {
  readonly file: string; // absolute path
  readonly number: number; // from 1
  readonly width: number; // pixels
  readonly height: number;
  readonly dpi: number;
}

/** The limits of one call. */
export interface PdfCall {
  readonly timeoutMs: number;
  readonly signal: Cancellation;
  readonly subject: string; // the thing that error messages name, for example `Page 3`
}

/** The two calls of the programs that read PDF files. */
export interface PdfPrograms {
  /**
   * Reads the page count and the boxes of the pages from `first` to `last`. `elapsedMs` is the run time of the program.
   */
  readonly readInfo: (
    file: string,
    range: { readonly first: number; readonly last: number },
    call: PdfCall,
  ) => Promise<PdfInfo & { readonly elapsedMs: number }>;
  /** Renders a page. An implementation can check its image with {@link renderedPage}. */
  readonly renderPage: (page: PageToRender, call: PdfCall) => Promise<GreyImage>;
}

/**
 * Returns `image` if it has exactly the size of `page`, else throws `DOCUMENT_DAMAGED`. The exit code is not reliable.
 */
export const renderedPage = (
  image: GreyImage | undefined,
  { number, width, height }: PageToRender,
  program: string,
  result: ProgramResult,
): GreyImage => {
  if (image?.width === width && image.height === height) return image;
  throw damagedPdfPage(number, new Error(describeEnd(program, result)));
};

/** A PDF file in a private folder, which is removed when the document is closed. */
class PdfInFolder implements RasterDocument {
  readonly #programs: PdfPrograms;
  readonly #folder: string;
  readonly #file: string;
  readonly #boxes = new Map<number, PdfPageBox>();
  readonly #onClose: () => void;
  #pageCount = 0;
  #isClosed = false;

  constructor(programs: PdfPrograms, folder: string, file: string, onClose: () => void) {
    this.#programs = programs;
    this.#folder = folder;
    this.#file = file;
    this.#onClose = onClose;
  }

  get pageCount(): number {
    return this.#pageCount;
  }

  /** Reads the boxes of page `first` and some pages after it. Returns the run time of the program in milliseconds. */
  async readBoxes(first: number, call: PdfCall): Promise<number> {
    const range = { first, last: first + PAGES_PER_QUERY - 1 };
    const { pageCount, pages, elapsedMs } = await this.#programs.readInfo(this.#file, range, call);
    this.#pageCount = pageCount;
    for (const [number, box] of pages) this.#boxes.set(number, box);
    return elapsedMs;
  }

  async render(
    number: number,
    { maxPixels, timeoutMs }: DecodeLimits,
    signal: Cancellation,
  ): Promise<GreyImage & { readonly dpi: number }> {
    if (this.#isClosed) throw new TypeError('The document is closed.');
    if (!Number.isInteger(number) || number < 1 || number > this.#pageCount)
      throw new TypeError(`There is no page ${number}.`);
    const subject = `Page ${number}`;
    const elapsedMs = this.#boxes.has(number) ? 0 : await this.readBoxes(number, { timeoutMs, signal, subject });
    const { turn, ...box } = this.#boxes.get(number) ?? { width: 0, height: 0, turn: 0 };
    const visible = turnedSize(box, turn);
    const { width, height, dpi } = pageScale(number, visible.width, visible.height, maxPixels);
    const page: PageToRender = { file: this.#file, number, width, height, dpi };
    const call = { timeoutMs: Math.max(1, timeoutMs - elapsedMs), signal, subject };
    return { ...(await this.#programs.renderPage(page, call)), dpi };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#onClose();
    await removePrivateFolder(this.#folder);
  }
}

/** A rasterizer of PDF files, and `closeDocuments`, which closes the documents that are still open. */
export interface PdfRasterizer {
  readonly rasterizer: Rasterizer;
  readonly closeDocuments: () => Promise<void>;
}

/** Makes a rasterizer of PDF files that uses installed programs. */
export const pdfRasterizer = (programs: PdfPrograms): PdfRasterizer => {
  const open = new Set<RasterDocument>();
  return {
    rasterizer: {
      mediaTypes: ['application/pdf'],
      open: async (file, { timeoutMs }, signal) => {
        signal.throwIfAborted();
        const folder = await makePrivateFolder();
        try {
          const path = await writePrivateFile(folder, 'document.pdf', file);
          const document = new PdfInFolder(programs, folder, path, () => void open.delete(document));
          await document.readBoxes(1, { timeoutMs, signal, subject: 'The PDF' });
          if (document.pageCount < 1) throw pdfWithoutPages();
          open.add(document);
          return document;
        } catch (error) {
          await removePrivateFolder(folder);
          throw error;
        }
      },
    },
    closeDocuments: async () => {
      await Promise.all([...open].map((document) => document.close()));
    },
  };
};
