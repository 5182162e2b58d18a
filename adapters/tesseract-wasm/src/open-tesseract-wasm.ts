import { ChildPool, siblingModule } from '@palimpsest/child-process';
import { TesseractWasmEngine } from './tesseract-wasm-engine.ts';

/** The settings of {@link openTesseractWasm}. */
export interface TesseractWasmOptions {
  readonly children: number; // pages recognised at the same time, 1 or more; one child process for each page
  readonly memoryLimitBytes?: number; // resident memory above which a child is killed; default: 700 MB
}

/** The engine. `close` ends its children. */
export interface TesseractWasm {
  readonly engine: TesseractWasmEngine;
  readonly close: () => Promise<void>;
}

const ORIENTATION_IDLE_MS = 20_000; // short, because few pages need this child

/**
 * Makes the engine. Its children start with the first call. The child for orientation starts with the first detection.
 */
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
