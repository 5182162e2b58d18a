import { PDFiumModule } from '@hyzyla/pdfium';

/** The table of the functions that WebAssembly code can call through pointers. */
export interface FunctionTable {
  set(index: number, entry: unknown): void;
}

/**
 * The functions of PDFium's C interface that Palimpsest uses, as WebAssembly exports them (fpdfview.h, fpdf_text.h,
 * fpdf_edit.h, fpdf_ppo.h, fpdf_save.h). Pages, documents and buffers are pointers.
 */
export interface Pdfium {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF64: Float64Array;
  readonly HEAP32: Int32Array;
  readonly wasmExports: {
    readonly __indirect_function_table: FunctionTable;
    malloc(size: number): number;
    free(pointer: number): void;
  };
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  _FPDF_CreateNewDocument(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_ImportPages(target: number, source: number, range: number, index: number): number;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, scan: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    flags: number,
  ): void;
  _FPDF_PageToDevice(
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_GetUnicode(textPage: number, index: number): number;
  _FPDFText_IsHyphen(textPage: number, index: number): number;
  _FPDFText_GetCharBox(
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
}

// Exports of the package that its type definitions do not declare.
const UNDECLARED = [
  'HEAPF64',
  '_FPDF_InitLibrary',
  '_FPDF_CreateNewDocument',
  '_FPDF_GetPageWidthF',
  '_FPDF_GetSecurityHandlerRevision',
  '_FPDF_ImportPages',
  '_FPDF_PageToDevice',
  '_FPDF_SaveAsCopy',
  '_FPDFPage_CountObjects',
  '_FPDFText_GetCharBox',
];

const isComplete = (module: object): module is Pdfium => UNDECLARED.every((name) => name in module);

/** Loads a new instance of PDFium into this process. */
export const loadPdfium = async (): Promise<Pdfium> => {
  const module: object = await PDFiumModule({});
  if (!isComplete(module)) throw new TypeError('This build of PDFium lacks functions that Palimpsest needs.');
  module._FPDF_InitLibrary();
  return module;
};
