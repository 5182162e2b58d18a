import { pageScale } from '@palimpsest/core';
import type { PageScale } from '@palimpsest/core';
import { outOfMemory } from '@palimpsest/pdfium-file';
import type { PdfiumFile } from '@palimpsest/pdfium-file';
import type { ImageAnswer, TextAnswer } from './requests.ts';
import { assembleText } from './text-lines.ts';
import type { PlacedCharacter } from './text-lines.ts';

// fpdfview.h
const FORMAT_GREY = 1;
const WHITE = 0xffffffff;
const RENDER_ANNOTATIONS = 0x01;
const RENDER_GREY = 0x08;
const RENDER_LIMITED_IMAGE_CACHE = 0x200;

const MAX_CHARACTERS = 500_000; // of the text layer of a page; a dense newspaper page has about 30,000
const SCRATCH_BYTES = 40; // four doubles for a box, two integers for a point
const HYPHEN_CODES = new Set([0x02, 0xfffe]); // PDFium's codes for a hyphen at the end of a line

/** Renders the pages of an open PDF and reads their text layers. */
export class PageReader {
  readonly #file: PdfiumFile;
  #pixels = 0; // pointer to the pixels of the last rendered page

  constructor(file: PdfiumFile) {
    this.#file = file;
  }

  get pageCount(): number {
    return this.#file.pageCount;
  }

  close(): void {
    this.#freePixels();
    this.#file.close();
  }

  /**
   * Renders page `number` in grey on white. The pixels are a view into PDFium's memory, valid until the next call. They
   * are not copied, because a copy of a large page could exceed the memory limit.
   */
  render(number: number, maxPixels: number): ImageAnswer {
    this.#freePixels();
    return this.#withPage(number, maxPixels, (page, { width, height, dpi }) => {
      const { pdfium } = this.#file;
      this.#pixels = this.#file.allocate(width * height, `Page ${number}`);
      const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, FORMAT_GREY, this.#pixels, width);
      if (bitmap === 0) throw outOfMemory(`Page ${number}`);
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      const flags = RENDER_ANNOTATIONS | RENDER_GREY | RENDER_LIMITED_IMAGE_CACHE;
      pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
      pdfium._FPDFBitmap_Destroy(bitmap);
      return { width, height, dpi, data: pdfium.HEAPU8.subarray(this.#pixels, this.#pixels + width * height) };
    });
  }

  /** Reads the text layer of page `number`. The boxes are in pixels of the image that `render` returns. */
  readText(number: number, maxPixels: number): TextAnswer {
    return this.#withPage(number, maxPixels, (page, { width, height }) => {
      const { pdfium } = this.#file;
      const textPage = pdfium._FPDFText_LoadPage(page);
      if (textPage === 0) return { width, height, text: '', words: [] };
      try {
        return { width, height, ...assembleText(this.#characters(page, textPage, { width, height })) };
      } finally {
        pdfium._FPDFText_ClosePage(textPage);
      }
    });
  }

  *#characters(page: number, textPage: number, size: { width: number; height: number }): Generator<PlacedCharacter> {
    const { pdfium } = this.#file;
    const count = Math.min(pdfium._FPDFText_CountChars(textPage), MAX_CHARACTERS);
    const scratch = this.#file.allocate(SCRATCH_BYTES, 'The page');
    try {
      for (let i = 0; i < count; i++) {
        const code = pdfium._FPDFText_GetUnicode(textPage, i);
        const isHyphen = HYPHEN_CODES.has(code) && pdfium._FPDFText_IsHyphen(textPage, i) === 1;
        const text = isHyphen ? '-' : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
        yield { text, box: this.#characterBox(page, textPage, i, scratch, size) };
        if (isHyphen) yield { text: '\n', box: undefined }; // PDFium reports no line end after it
      }
    } finally {
      this.#file.free(scratch);
    }
  }

  #characterBox(
    page: number,
    textPage: number,
    index: number,
    scratch: number,
    { width, height }: { width: number; height: number },
  ): PlacedCharacter['box'] {
    const { pdfium } = this.#file;
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
    return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : undefined; // undefined: outside the page
  }

  #withPage<T>(number: number, maxPixels: number, task: (page: number, scale: PageScale) => T): T {
    const { pdfium } = this.#file;
    return this.#file.withPage(number, (page) => {
      const [width, height] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)];
      return task(page, pageScale(number, width, height, maxPixels));
    });
  }

  #freePixels(): void {
    this.#file.free(this.#pixels);
    this.#pixels = 0;
  }
}
