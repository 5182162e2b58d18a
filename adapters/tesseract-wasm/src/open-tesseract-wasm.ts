import { ChildPool, siblingModule } from '@palimpsest/child-process';
import { TesseractWasmEngine } from './tesseract-wasm-engine.ts';

export interface TesseractWasmOptions {
  readonly children: number; // pages recognised at once, >= 1; one child process each
  readonly memoryLimitBytes?: number; // resident memory at which a child is killed; 700 MB
}

/** The engine and what ends its children. */
export interface TesseractWasm {
  readonly engine: TesseractWasmEngine;
  readonly close: () => Promise<void>;
}

const ORIENTATION_IDLE_MS = 20_000; // few pages need it: its memory is soon given back

/** Makes the engine. Children start at the first need; the one for orientation only if a page is doubtful. */
export const openTesseractWasm = ({ children, memoryLimitBytes }: TesseractWasmOptions): TesseractWasm => {
  const limit = memoryLimitBytes === undefined ? {} : { memoryLimitBytes };
  const recognition = new ChildPool({
    script: siblingModule('recognition-child', import.meta.url),
    size: children,
    ...limit,
  });
  const orientation = new ChildPool({
    script: siblingModule('orientation-child', import.meta.url),
    size: 1,
    idleMs: ORIENTATION_IDLE_MS,
    ...limit,
  });
  return {
    engine: new TesseractWasmEngine(recognition, orientation),
    close: async () => {
      await Promise.all([recognition.close(), orientation.close()]);
    },
  };
};
