import { AppError, damagedPdf } from '@palimpsest/core';
import { withCallback } from './callback.ts';
import { openingError, outOfMemory } from './pdfium-errors.ts';
import type { Pdfium } from './pdfium-module.ts';

// fpdfview.h, fpdf_save.h
const REMOVE_SECURITY = 3;
const NOT_ENCRYPTED = -1;
const FILE_WRITE_BYTES = 8; // of the structure FPDF_FILEWRITE: version, pointer to the function that writes

/** The size of a page and the number of its objects. All values are 0 for a page that PDFium cannot open. */
export interface PageSummary {
  readonly width: number; // of the visible part, in points
  readonly height: number;
  readonly objects: number; // texts, images, paths; -1 for a page without /Type /Page, which PDFium does not count
}

/** A PDF file that PDFium has opened in this process. Pages are loaded on demand and not kept. */
export class PdfiumFile {
  readonly pdfium: Pdfium;
  readonly #data: number;
  readonly #document: number;

  /** Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED` or `PAGE_OUT_OF_MEMORY`. */
  constructor(pdfium: Pdfium, file: Uint8Array) {
    this.pdfium = pdfium;
    this.#data = this.allocate(file.length, 'The PDF');
    pdfium.HEAPU8.set(file, this.#data);
    this.#document = pdfium._FPDF_LoadMemDocument(this.#data, file.length, 0);
    if (this.#document === 0) {
      const error = openingError(pdfium._FPDF_GetLastError());
      this.free(this.#data);
      throw error;
    }
  }

  /** The page count that the file states. */
  get pageCount(): number {
    return this.pdfium._FPDF_GetPageCount(this.#document);
  }

  get isEncrypted(): boolean {
    return this.pdfium._FPDF_GetSecurityHandlerRevision(this.#document) !== NOT_ENCRYPTED;
  }

  /** Runs `task` with a pointer to page `number` (from 1). Throws `DOCUMENT_DAMAGED`. */
  withPage<T>(number: number, task: (page: number) => T): T {
    const page = this.pdfium._FPDF_LoadPage(this.#document, number - 1);
    if (page === 0)
      throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF is damaged and cannot be opened.`);
    try {
      return task(page);
    } finally {
      this.pdfium._FPDF_ClosePage(page);
    }
  }

  /**
   * Sizes and object counts of all pages. PDFium parses the content of the pages, but decodes no images and draws
   * nothing.
   */
  summarizePages(): readonly PageSummary[] {
    const pdfium = this.pdfium;
    return Array.from({ length: this.pageCount }, (_, index): PageSummary => {
      const page = pdfium._FPDF_LoadPage(this.#document, index);
      if (page === 0) return { width: 0, height: 0, objects: 0 };
      const [width, height] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)];
      const objects = pdfium._FPDFPage_CountObjects(page);
      pdfium._FPDF_ClosePage(page);
      return { width, height, objects };
    });
  }

  /** The whole document as a new file without encryption. Throws `DOCUMENT_DAMAGED`. */
  copy(): Uint8Array {
    return this.#save(this.#document);
  }

  /** A new document with only the pages, for files whose other parts are damaged. Throws `DOCUMENT_DAMAGED`. */
  copyPages(): Uint8Array {
    const target = this.pdfium._FPDF_CreateNewDocument();
    try {
      if (this.pdfium._FPDF_ImportPages(target, this.#document, 0, 0) === 0) throw damagedPdf();
      return this.#save(target);
    } finally {
      this.pdfium._FPDF_CloseDocument(target);
    }
  }

  close(): void {
    this.pdfium._FPDF_CloseDocument(this.#document);
    this.free(this.#data);
  }

  /**
   * Allocates `bytes` bytes of PDFium's memory and returns the pointer. Throws `PAGE_OUT_OF_MEMORY`, which names
   * `subject`.
   */
  allocate(bytes: number, subject: string): number {
    const pointer = this.pdfium.wasmExports.malloc(bytes);
    if (pointer === 0) throw outOfMemory(subject);
    return pointer;
  }

  /** Frees allocated memory. Ignores the null pointer. */
  free(pointer: number): void {
    this.pdfium.wasmExports.free(pointer);
  }

  #save(document: number): Uint8Array {
    const { pdfium } = this;
    const blocks: Uint8Array[] = [];
    const writeBlock = (_writer: number, block: number, size: number): number => {
      blocks.push(pdfium.HEAPU8.slice(block, block + size));
      return 1;
    };
    const isSaved = withCallback(pdfium, writeBlock, (pointer) => {
      const writer = this.allocate(FILE_WRITE_BYTES, 'The PDF');
      const view = new DataView(pdfium.HEAPU8.buffer, writer, FILE_WRITE_BYTES);
      view.setUint32(0, 1, true); // version
      view.setUint32(4, pointer, true);
      try {
        return pdfium._FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY) !== 0;
      } finally {
        this.free(writer);
      }
    });
    if (!isSaved) throw damagedPdf();
    return Buffer.concat(blocks);
  }
}
