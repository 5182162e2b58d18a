import { findProgram, pdfRasterizer, ProgramPool, removeOrphanedFolders } from '@palimpsest/child-process';
import { isAppError } from '@palimpsest/core';
import type { Rasterizer } from '@palimpsest/core';
import { popplerPrograms } from './poppler-programs.ts';

/** The settings of {@link openPoppler}. */
export interface PopplerOptions {
  readonly children: number; // processes at the same time, 1 or more
  /**
   * The limit of one process on its address space, or on its resident memory where the system cannot limit addresses.
   * Default: 1 GB.
   */
  readonly memoryLimitBytes?: number;
}

/** The rasterizer of PDF files. `close` ends its processes. */
export interface Poppler {
  readonly rasterizer: Rasterizer;
  readonly version: string; // for example '22.12.0'
  readonly close: () => Promise<void>;
}

/** The reason why there is no rasterizer, as a sentence for an operator. */
export interface PopplerMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_000_000_000;
const VERSION_TIMEOUT_MS = 20_000;

const readVersion = async (pool: ProgramPool, pdftoppm: string): Promise<string | undefined> => {
  try {
    const { output, errors } = await pool.run({
      program: pdftoppm,
      arguments: ['-v'],
      timeoutMs: VERSION_TIMEOUT_MS,
      signal: new AbortController().signal,
      maxOutputBytes: 100_000,
    });
    return /version (\d+\.\S+)/.exec(output.toString() + errors)?.[1];
  } catch (error) {
    if (isAppError(error, 'ENGINE_CRASHED', 'PAGE_TIMED_OUT')) return undefined;
    throw error;
  }
};

/** Looks up `pdfinfo` and `pdftoppm` on PATH and makes the rasterizer. It starts processes only for its calls. */
export const openPoppler = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
}: PopplerOptions): Promise<Poppler | PopplerMissing> => {
  const [pdfinfo, pdftoppm] = await Promise.all([findProgram('pdfinfo'), findProgram('pdftoppm')]);
  if (pdfinfo === undefined || pdftoppm === undefined) {
    const name = pdfinfo === undefined ? 'pdfinfo' : 'pdftoppm';
    return { missing: `The program ${name} of poppler is not installed, or not on PATH.` };
  }
  await removeOrphanedFolders();
  const pool = new ProgramPool(children);
  const version = await readVersion(pool, pdftoppm);
  if (version === undefined) return { missing: 'The program pdftoppm does not run here.' };
  const { rasterizer, closeDocuments } = pdfRasterizer(popplerPrograms(pool, { pdfinfo, pdftoppm, memoryLimitBytes }));
  return {
    version,
    rasterizer,
    close: async () => {
      await pool.close();
      await closeDocuments();
    },
  };
};
