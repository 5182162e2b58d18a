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

/** Width and height of a page as it is shown, in points. */
export type PageSize = readonly [width: number, height: number];

const openingError = (code: number): AppError => {
  switch (code) {
    case ERROR_PASSWORD:
      return new AppError('DOCUMENT_ENCRYPTED', 'The PDF is protected by a password. Remove the password and upload it again.');
    case ERROR_SECURITY:
      return new AppError('DOCUMENT_ENCRYPTED', 'The PDF is protected in a way that cannot be opened. Remove the protection and upload it again.');
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

  /** The sizes of all pages. One that PDFium cannot open has no size: 0 by 0. */
  pageSizes(): readonly PageSize[] {
    const pdfium = this.#pdfium;
    const size = this.#allocate(8);
    try {
      return Array.from({ length: pdfium._FPDF_GetPageCount(this.#document) }, (_, index): PageSize => {
        if (pdfium._FPDF_GetPageSizeByIndexF(this.#document, index, size) === 0) return [0, 0];
        const view = new DataView(pdfium.HEAPU8.buffer, size, 8);
        return [view.getFloat32(0, true), view.getFloat32(4, true)];
      });
    } finally {
      pdfium.wasmExports.free(size);
    }
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
