import { decodePgm, describeEnd, failuresOf, ranOutOfMemory, renderedPage } from '@palimpsest/child-process';
import type { PdfCall, PdfPrograms, ProgramPool, ProgramResult } from '@palimpsest/child-process';
import { AppError } from '@palimpsest/core';
import { openingError, parsePdfInfo } from './pdf-info.ts';

const MAX_INFO_BYTES = 16_000_000;
const MAX_HEADER_BYTES = 100; // of a PGM file
const CRASH_SIGNALS = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGTRAP'];

/** The installed programs of poppler. */
export interface InstalledPoppler {
  readonly pdfinfo: string; // absolute paths
  readonly pdftoppm: string;
  readonly memoryLimitBytes: number;
}

/** Throws an error if a signal ended the program. */
const throwIfSignalled = (name: string, result: ProgramResult, subject: string): void => {
  if (result.signal === undefined) return;
  // The content of the file causes a crash signal, so a retry would crash again. Other processes send the other
  // signals.
  if (!CRASH_SIGNALS.includes(result.signal)) throw failuresOf(subject).crashed(describeEnd(name, result));
  const what = subject === 'The PDF' ? subject : `${subject} of the PDF`;
  throw new AppError('DOCUMENT_DAMAGED', `${what} has a structure that cannot be read.`, {
    cause: new Error(describeEnd(name, result)),
  });
};

/**
 * Reads PDF files with `pdfinfo` and `pdftoppm`. The pages have the same size as with PDFium, with one exception: if a
 * crop box is larger than the media box in one direction and does not cover it, poppler shows the whole page in that
 * direction.
 */
export const popplerPrograms = (pool: ProgramPool, { memoryLimitBytes, ...paths }: InstalledPoppler): PdfPrograms => {
  const run = async (
    name: 'pdfinfo' | 'pdftoppm',
    options: readonly string[],
    maxOutputBytes: number,
    call: PdfCall,
  ): Promise<ProgramResult> => {
    const limits = { ...call, memoryLimitBytes, maxOutputBytes };
    const result = await pool.run({ program: paths[name], arguments: options, ...limits });
    if (ranOutOfMemory(result)) throw failuresOf(call.subject).outOfMemory(memoryLimitBytes);
    throwIfSignalled(name, result, call.subject);
    return result;
  };
  return {
    readInfo: async (file, { first, last }, call) => {
      const result = await run('pdfinfo', ['-f', String(first), '-l', String(last), file], MAX_INFO_BYTES, call);
      const info = result.exitCode === 0 ? parsePdfInfo(result.output.toString('utf8')) : undefined;
      if (info === undefined) throw openingError(result.errors);
      return { ...info, elapsedMs: result.elapsedMs };
    },
    renderPage: async (page, call) => {
      const number = String(page.number);
      // The page size is rarely a whole number of pixels, so -W and -H cut the image to the requested size.
      const size = ['-x', '0', '-y', '0', '-W', String(page.width), '-H', String(page.height)];
      const options = ['-q', '-gray', '-cropbox', '-f', number, '-l', number, '-r', String(page.dpi), ...size];
      const maxBytes = page.width * page.height + MAX_HEADER_BYTES;
      const result = await run('pdftoppm', [...options, page.file], maxBytes, call);
      const image = result.exitCode === 0 ? decodePgm(result.output) : undefined;
      return renderedPage(image, page, 'pdftoppm', result);
    },
  };
};
