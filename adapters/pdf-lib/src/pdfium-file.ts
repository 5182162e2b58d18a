import { AppError } from '@palimpsest/core';
import { withCallback } from './pdfium-module.ts';
import type { Pdfium } from './pdfium-module.ts';
import { damagedPdf, outOfMemory } from './refusals.ts';

// fpdfview.h, fpdf_save.h
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
const REMOVE_SECURITY = 3;
const NOT_ENCRYPTED = -1;
const FILE_WRITE_BYTES = 8; // version, pointer to the function that writes

/** What there is to see of a page without drawing it. All 0 for one that PDFium cannot open. */
export interface PageOutline {
  readonly width: number; // as shown, in points
  readonly height: number;
  readonly objects: number; // texts, images, paths; -1 if the page does not call itself one, so that PDFium does not count
}

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
      return damagedPdf();
  }
};

/** A PDF file as PDFium sees it, whatever its state: the measure of what others make of it. */
export class PdfiumFile {
  readonly #pdfium: Pdfium;
  readonly #data: number;
  readonly #document: number;

  /** Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED` or `PAGE_OUT_OF_MEMORY`. */
  constructor(pdfium: Pdfium, file: Uint8Array) {
    this.#pdfium = pdfium;
    this.#data = this.#allocate(file.length);
    pdfium.HEAPU8.set(file, this.#data);
    this.#document = pdfium._FPDF_LoadMemDocument(this.#data, file.length, 0);
    if (this.#document === 0) {
      const error = openingError(pdfium._FPDF_GetLastError());
      pdfium.wasmExports.free(this.#data);
      throw error;
    }
  }

  get isEncrypted(): boolean {
    return this.#pdfium._FPDF_GetSecurityHandlerRevision(this.#document) !== NOT_ENCRYPTED;
  }

  /** All pages. Their content is read, but nothing of it is decoded or drawn. */
  pages(): readonly PageOutline[] {
    const pdfium = this.#pdfium;
    return Array.from({ length: pdfium._FPDF_GetPageCount(this.#document) }, (_, index): PageOutline => {
      const page = pdfium._FPDF_LoadPage(this.#document, index);
      if (page === 0) return { width: 0, height: 0, objects: 0 };
      const [width, height] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)];
      const objects = pdfium._FPDFPage_CountObjects(page);
      pdfium._FPDF_ClosePage(page);
      return { width, height, objects };
    });
  }

  /** The whole document written anew, without encryption. */
  copy(): Uint8Array {
    return this.#save(this.#document);
  }

  /** Its pages alone in a new document: what is left where the rest is past mending. */
  copyPages(): Uint8Array {
    const pdfium = this.#pdfium;
    const target = pdfium._FPDF_CreateNewDocument();
    try {
      if (pdfium._FPDF_ImportPages(target, this.#document, 0, 0) === 0) throw damagedPdf();
      return this.#save(target);
    } finally {
      pdfium._FPDF_CloseDocument(target);
    }
  }

  close(): void {
    this.#pdfium._FPDF_CloseDocument(this.#document);
    this.#pdfium.wasmExports.free(this.#data);
  }

  #save(document: number): Uint8Array {
    const pdfium = this.#pdfium;
    const blocks: Uint8Array[] = [];
    const write = (_writer: number, block: number, size: number): number => {
      blocks.push(pdfium.HEAPU8.slice(block, block + size));
      return 1;
    };
    const isSaved = withCallback(pdfium, write, (pointer) => {
      const writer = this.#allocate(FILE_WRITE_BYTES);
      const view = new DataView(pdfium.HEAPU8.buffer, writer, FILE_WRITE_BYTES);
      view.setUint32(0, 1, true); // the version of the structure
      view.setUint32(4, pointer, true);
      try {
        return pdfium._FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY) !== 0;
      } finally {
        pdfium.wasmExports.free(writer);
      }
    });
    if (!isSaved) throw damagedPdf();
    return Buffer.concat(blocks);
  }

  #allocate(bytes: number): number {
    const pointer = this.#pdfium.wasmExports.malloc(bytes);
    if (pointer === 0) throw outOfMemory();
    return pointer;
  }
}
