import { PDFiumModule } from '@hyzyla/pdfium';

/** As much of the platform's WebAssembly as is used here; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

interface FunctionTable {
  set(place: number, entry: unknown): void;
}

/**
 * The functions of PDFium's C interface that are used here, as WebAssembly exports them (fpdfview.h, fpdf_edit.h,
 * fpdf_ppo.h, fpdf_save.h).
 */
export interface Pdfium {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: {
    readonly __indirect_function_table: FunctionTable;
    malloc(size: number): number;
    free(pointer: number): void;
  };
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  _FPDF_CreateNewDocument(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_ImportPages(target: number, source: number, range: number, index: number): number;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
}

// Beyond what the package declares; a build without them is of no use here.
const UNDECLARED = [
  '_FPDF_InitLibrary',
  '_FPDF_CreateNewDocument',
  '_FPDF_GetPageWidthF',
  '_FPDFPage_CountObjects',
  '_FPDF_GetSecurityHandlerRevision',
  '_FPDF_ImportPages',
  '_FPDF_SaveAsCopy',
];

const isComplete = (module: object): module is Pdfium => UNDECLARED.every((name) => name in module);

/** A fresh PDFium in this process. */
export const loadPdfium = async (): Promise<Pdfium> => {
  const module: object = await PDFiumModule({});
  if (!isComplete(module)) throw new TypeError('This build of PDFium lacks functions that are needed.');
  module._FPDF_InitLibrary();
  return module;
};

// A WebAssembly module that imports one function of three 32-bit integers that gives one, and exports it again: only such
// a function can be called through a pointer, and this build has nothing that makes one of a JavaScript function.
const PASS_ON = Uint8Array.from([
  0x00,
  0x61,
  0x73,
  0x6d,
  0x01,
  0x00,
  0x00,
  0x00, // magic number, version
  0x01,
  0x08,
  0x01,
  0x60,
  0x03,
  0x7f,
  0x7f,
  0x7f,
  0x01,
  0x7f, // the type
  0x02,
  0x07,
  0x01,
  0x01,
  0x65,
  0x01,
  0x66,
  0x00,
  0x00, // import e.f
  0x07,
  0x05,
  0x01,
  0x01,
  0x66,
  0x00,
  0x00, // export f
]);

// The table of functions cannot grow. Its first place, that of the null pointer, is free.
const CALLBACK = 0;

/** Runs `task` with a pointer to `callback`, which is good as long as `task` runs. */
export const withCallback = <T>(
  pdfium: Pdfium,
  callback: (a: number, b: number, c: number) => number,
  task: (pointer: number) => T,
): T => {
  const table = pdfium.wasmExports.__indirect_function_table;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(PASS_ON), { e: { f: callback } }).exports;
  table.set(CALLBACK, f);
  try {
    return task(CALLBACK);
  } finally {
    table.set(CALLBACK, null);
  }
};
