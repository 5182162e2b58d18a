import type { Pdfium } from './pdfium-module.ts';

/** The part of the WebAssembly API that this file uses. The type definitions of Node do not contain it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

// PDFium can call only WebAssembly functions, and this build has no helper that makes one from a JavaScript function.
// This module imports a function of three 32-bit integers that returns one, and exports it again.
const WRAPPER = Uint8Array.from(
  Buffer.from(
    [
      '0061736d01000000', // magic number, version
      '01080160037f7f7f017f', // the type: three integers to one
      '020701016501660000', // import e.f
      '07050101660000', // export f
    ].join(''),
    'hex',
  ),
);

// The function table cannot grow. Only index 0, the null pointer, is unused.
const CALLBACK_INDEX = 0;

/** Runs `task` with a pointer to `callback`. The pointer is valid while `task` runs. */
export const withCallback = <T>(
  pdfium: Pdfium,
  callback: (a: number, b: number, c: number) => number,
  task: (pointer: number) => T,
): T => {
  const table = pdfium.wasmExports.__indirect_function_table;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(WRAPPER), { e: { f: callback } }).exports;
  table.set(CALLBACK_INDEX, f);
  try {
    return task(CALLBACK_INDEX);
  } finally {
    table.set(CALLBACK_INDEX, null);
  }
};
