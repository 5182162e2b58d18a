import { findProgram, Programs, sweepPrivateFolders, trackDocuments } from '@palimpsest/child-process';
import { isAppError } from '@palimpsest/core';
import type { Rasterizer } from '@palimpsest/core';
import { PopplerDocument } from './poppler-document.ts';
import type { InstalledPoppler } from './poppler-document.ts';

export interface PopplerOptions {
  readonly children: number; // processes at once, >= 1
  readonly memoryLimitBytes?: number; // of one process: of addresses where the system limits them, else resident; 1 GB
}

/** The rasteriser of PDF and what ends its processes. */
export interface Poppler {
  readonly rasterizer: Rasterizer;
  readonly version: string; // '22.12.0'
  readonly close: () => Promise<void>;
}

/** Why there is no rasteriser here, in a sentence for an operator. */
export interface PopplerMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_000_000_000;
const QUESTION_TIMEOUT_MS = 20_000;

/** Looks for the programs `pdfinfo` and `pdftoppm` on PATH. No processes run until there is something to render. */
export const openPoppler = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
}: PopplerOptions): Promise<Poppler | PopplerMissing> => {
  const [pdfinfo, pdftoppm] = await Promise.all([findProgram('pdfinfo'), findProgram('pdftoppm')]);
  if (pdfinfo === undefined || pdftoppm === undefined) {
    return {
      missing: `The program ${pdfinfo === undefined ? 'pdfinfo' : 'pdftoppm'} of poppler is not installed, or not on PATH.`,
    };
  }
  await sweepPrivateFolders();
  const programs = new Programs(children);
  const question = {
    program: pdftoppm,
    arguments: ['-v'],
    timeoutMs: QUESTION_TIMEOUT_MS,
    signal: new AbortController().signal,
    maxOutputBytes: 100_000,
  };
  const version = await programs.run(question).then(
    ({ output, errors }) => /version (\d+\.\S+)/.exec(output.toString() + errors)?.[1],
    (error: unknown) => {
      if (isAppError(error, 'ENGINE_CRASHED', 'PAGE_TIMED_OUT')) return undefined;
      throw error;
    },
  );
  if (version === undefined) return { missing: 'The program pdftoppm does not run here.' };
  const installed: InstalledPoppler = { pdfinfo, pdftoppm, memoryLimitBytes };
  const { rasterizer, closeDocuments } = trackDocuments(['application/pdf'], (...args) =>
    PopplerDocument.open(programs, installed, ...args),
  );
  return {
    version,
    rasterizer,
    close: async () => {
      await programs.close();
      await closeDocuments();
    },
  };
};
