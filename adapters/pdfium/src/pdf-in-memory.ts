import { AppError, pageScale } from '@palimpsest/core';
import type { PageScale } from '@palimpsest/core';
import type { Pdfium } from './pdfium-module.ts';
import type { ImageAnswer, TextAnswer } from './requests.ts';
import { assembleText } from './text-lines.ts';
import type { PlacedCharacter } from './text-lines.ts';

// fpdfview.h
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
const FORMAT_GREY = 1;
const WHITE = 0xffffffff;
const RENDER_ANNOTATIONS = 0x01;
const RENDER_GREY = 0x08;
const RENDER_LIMITED_IMAGE_CACHE = 0x200;

const MAX_CHARACTERS = 500_000; // of a page's text layer; a dense newspaper page has some 30,000
const HYPHEN_MARKS = new Set([0x02, 0xfffe]); // PDFium's marks for a hyphen at the end of a line

const openingError = (code: number): AppError => {
  switch (code) {
    case ERROR_PASSWORD:
      return new AppError(
        'DOCUMENT_ENCRYPTED',
        'The PDF is protected by a password. Remove the password and upload it again.',
      );
    case ERROR_SECURITY:
      return new AppError(
        'DOCUMENT_ENCRYPTED',
        'The PDF is protected in a way that cannot be opened. Remove the protection and upload it again.',
      );
    default:
      return new AppError('DOCUMENT_DAMAGED', 'The file is damaged or not a PDF, so that it cannot be opened.');
  }
};

/** A PDF file opened in this process. Not a page is loaded before it is asked for, and none is kept. */
export class PdfInMemory {
  readonly #pdfium: Pdfium;
  readonly #data: number;
  readonly #document: number;
  #pixels = 0; // of the page rendered last

  /** Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED` or `PAGE_OUT_OF_MEMORY`. */
  constructor(pdfium: Pdfium, file: Uint8Array) {
    this.#pdfium = pdfium;
    this.#data = this.#allocate(file.length, 'The PDF');
    pdfium.HEAPU8.set(file, this.#data);
    this.#document = pdfium._FPDF_LoadMemDocument(this.#data, file.length, 0);
    if (this.#document === 0) {
      const error = openingError(pdfium._FPDF_GetLastError());
      pdfium.wasmExports.free(this.#data);
      throw error;
    }
  }

  /** How many pages the file says that it has. */
  get pageCount(): number {
    return this.#pdfium._FPDF_GetPageCount(this.#document);
  }

  close(): void {
    this.#freePixels();
    this.#pdfium._FPDF_CloseDocument(this.#document);
    this.#pdfium.wasmExports.free(this.#data);
  }

  /**
   * Page `number` in grey on white. The pixels are a view into PDFium's memory, which holds them until the next call: a
   * copy of a large page could be what passes the memory limit.
   */
  render(number: number, maxPixels: number): ImageAnswer {
    this.#freePixels();
    return this.#withPage(number, maxPixels, (page, { width, height, dpi }) => {
      const pdfium = this.#pdfium;
      this.#pixels = this.#allocate(width * height, `Page ${number}`);
      const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, FORMAT_GREY, this.#pixels, width);
      if (bitmap === 0) throw new AppError('PAGE_OUT_OF_MEMORY', `Page ${number} needs too much memory to be read.`);
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      const flags = RENDER_ANNOTATIONS | RENDER_GREY | RENDER_LIMITED_IMAGE_CACHE;
      pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
      pdfium._FPDFBitmap_Destroy(bitmap);
      return { width, height, dpi, data: pdfium.HEAPU8.subarray(this.#pixels, this.#pixels + width * height) };
    });
  }

  /** The text layer of page `number`, in the pixels of the image that `render` gives. */
  readText(number: number, maxPixels: number): TextAnswer {
    return this.#withPage(number, maxPixels, (page, { width, height }) => {
      const textPage = this.#pdfium._FPDFText_LoadPage(page);
      if (textPage === 0) return { width, height, text: '', words: [] };
      try {
        return { width, height, ...assembleText(this.#characters(page, textPage, { width, height })) };
      } finally {
        this.#pdfium._FPDFText_ClosePage(textPage);
      }
    });
  }

  *#characters(page: number, textPage: number, size: { width: number; height: number }): Generator<PlacedCharacter> {
    const pdfium = this.#pdfium;
    const count = Math.min(pdfium._FPDFText_CountChars(textPage), MAX_CHARACTERS);
    const scratch = this.#allocate(40, 'The page');
    try {
      for (let i = 0; i < count; i++) {
        const code = pdfium._FPDFText_GetUnicode(textPage, i);
        const isHyphen = HYPHEN_MARKS.has(code) && pdfium._FPDFText_IsHyphen(textPage, i) === 1;
        const text = isHyphen ? '-' : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
        yield { text, box: this.#characterBox(page, textPage, i, scratch, size) };
        if (isHyphen) yield { text: '\n', box: undefined }; // PDFium lets the halves of the word touch
      }
    } finally {
      pdfium.wasmExports.free(scratch);
    }
  }

  #characterBox(
    page: number,
    textPage: number,
    index: number,
    scratch: number,
    { width, height }: { width: number; height: number },
  ): PlacedCharacter['box'] {
    const pdfium = this.#pdfium;
    if (pdfium._FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24) === 0)
      return undefined;
    const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(scratch / 8, scratch / 8 + 4);
    const toPixels = (x: number, y: number): readonly [x: number, y: number] => {
      pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch + 32, scratch + 36);
      const [deviceX = 0, deviceY = 0] = pdfium.HEAP32.subarray(scratch / 4 + 8, scratch / 4 + 10);
      return [deviceX, deviceY];
    };
    const [ax, ay] = toPixels(left, top);
    const [bx, by] = toPixels(right, bottom);
    const [x0, y0] = [Math.max(0, Math.min(ax, bx)), Math.max(0, Math.min(ay, by))];
    const [x1, y1] = [Math.min(width, Math.max(ax, bx, x0 + 1)), Math.min(height, Math.max(ay, by, y0 + 1))];
    return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : undefined; // what stands beside the page is not on it
  }

  #withPage<T>(number: number, maxPixels: number, use: (page: number, scale: PageScale) => T): T {
    const pdfium = this.#pdfium;
    const page = pdfium._FPDF_LoadPage(this.#document, number - 1);
    if (page === 0)
      throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF is damaged and cannot be opened.`);
    try {
      return use(
        page,
        pageScale(number, pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page), maxPixels),
      );
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  }

  #freePixels(): void {
    this.#pdfium.wasmExports.free(this.#pixels); // of 0: nothing
    this.#pixels = 0;
  }

  #allocate(bytes: number, subject: string): number {
    const pointer = this.#pdfium.wasmExports.malloc(bytes);
    if (pointer === 0) throw new AppError('PAGE_OUT_OF_MEMORY', `${subject} needs too much memory to be read.`);
    return pointer;
  }
}
