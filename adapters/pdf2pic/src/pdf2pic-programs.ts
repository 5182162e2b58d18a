import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  decodePgm,
  describeEnd,
  failuresOf,
  ranOutOfMemory,
  renderedPage,
  siblingModule,
  withPrivateFolder,
} from '@palimpsest/child-process';
import type { PageToRender, PdfPrograms, ProgramPool } from '@palimpsest/child-process';
import type { GreyImage } from '@palimpsest/core';
import { BOXES_PROGRAM, openingError, parseBoxes } from './page-boxes.ts';

const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_INPUT_BYTES = 100_000_000; // Ghostscript may copy the PDF into a temporary file

const PAGE_FILE = 'page'; // GraphicsMagick writes `page.<number>.pgm`

/** The installed programs. */
export interface InstalledPrograms {
  readonly gs: string; // absolute path
  readonly memoryLimitBytes: number;
}

/**
 * Settings that must be environment variables, because pdf2pic builds the command lines. Ghostscript renders the crop
 * box, treats all units as points and may read no other file. GraphicsMagick uses only memory, no disk cache.
 */
const environmentFor = (pixels: number): Readonly<Record<string, string>> => ({
  GS_OPTIONS: '-dSAFER -dUseCropBox -dNoUserUnit',
  OMP_NUM_THREADS: '1',
  MAGICK_LIMIT_DISK: '0',
  MAGICK_LIMIT_MAP: '0',
  MAGICK_LIMIT_PIXELS: String(2 * pixels + 1_000_000), // the image before and after it is scaled to its exact size
});

const nodeArguments = (page: PageToRender): readonly string[] => {
  const script = siblingModule('pdf2pic-child', import.meta.url);
  return [
    ...(script.pathname.endsWith('.ts') ? ['--conditions=@palimpsest/source'] : []),
    '--permission', // no permission to write files: GraphicsMagick writes the page
    '--allow-fs-read=*',
    '--allow-child-process',
    '--no-warnings',
    fileURLToPath(script),
    JSON.stringify(page),
    PAGE_FILE,
  ];
};

const readPage = async (path: string): Promise<GreyImage | undefined> => {
  try {
    return decodePgm(await readFile(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Reads the page boxes with Ghostscript, and renders a page with pdf2pic in a separate process. */
export const pdf2picPrograms = (pool: ProgramPool, { gs, memoryLimitBytes }: InstalledPrograms): PdfPrograms => ({
  readInfo: async (file, { first, last }, call) => {
    const options = ['-q', '-dSAFER', '-dNODISPLAY', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT'];
    const given = [`--permit-file-read=${file}`, `-sF=${file}`, `-dFirst=${first}`, `-dLast=${last}`];
    const result = await pool.run({
      program: gs,
      arguments: [...options, ...given, '-c', BOXES_PROGRAM],
      ...call,
      memoryLimitBytes,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    const output = result.output.toString('utf8');
    if (ranOutOfMemory(result)) throw failuresOf(call.subject).outOfMemory(memoryLimitBytes);
    if (result.signal !== undefined) throw failuresOf(call.subject).crashed(describeEnd('gs', result));
    const info = parseBoxes(output);
    if (info === undefined || info.pageCount < 1) throw openingError(output + result.errors);
    return { ...info, elapsedMs: result.elapsedMs };
  },
  renderPage: (page, call) =>
    withPrivateFolder(async (folder) => {
      const pixels = page.width * page.height;
      const result = await pool.run({
        program: process.execPath,
        arguments: nodeArguments(page),
        keepsInputOpen: true,
        environment: environmentFor(pixels),
        folder,
        ...call,
        memoryLimitBytes,
        startsProcesses: true,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        maxFileBytes: 3 * pixels + MAX_INPUT_BYTES, // a temporary image of Ghostscript has 3 bytes per pixel
      });
      const path = join(folder, `${PAGE_FILE}.${page.number}.pgm`);
      const image = result.exitCode === 0 ? await readPage(path) : undefined;
      if (image === undefined) {
        if (ranOutOfMemory(result)) throw failuresOf(call.subject).outOfMemory(memoryLimitBytes);
        if (result.signal !== undefined) throw failuresOf(call.subject).crashed(describeEnd('pdf2pic', result));
      }
      return renderedPage(image, page, 'pdf2pic', result);
    }),
});
