import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  decodePgm,
  describeEnd,
  failuresOf,
  lackedMemory,
  makePrivateFolder,
  removePrivateFolder,
  siblingModule,
  withPrivateFolder,
  writePrivateFile,
} from '@palimpsest/child-process';
import type { ProgramResult, Programs } from '@palimpsest/child-process';
import { AppError, pageScale, turnedSize } from '@palimpsest/core';
import type { Cancellation, DecodeLimits, GreyImage, RasterDocument } from '@palimpsest/core';
import { BOXES_PROGRAM, openingError, parseBoxes } from './page-boxes.ts';
import type { PageBox } from './page-boxes.ts';
import { PAGE_FILE } from './page-order.ts';
import type { PageOrder } from './page-order.ts';

const SIGNATURE = '%PDF-';
const BOXES_AT_ONCE = 100; // pages whose boxes are asked for together: it costs as much as for one
const MAX_OUTPUT_BYTES = 1_000_000;
const SPARE_FILE_BYTES = 1_000_000;

/** The programs, as they were found. */
export interface InstalledPrograms {
  readonly gs: string; // absolute path
  readonly memoryLimitBytes: number;
}

/**
 * What GraphicsMagick and Ghostscript read beside their command lines, which pdf2pic makes. Ghostscript shows the crop box,
 * in points whatever the unit of the user, and may read nothing but the file. GraphicsMagick keeps to memory.
 */
const environmentFor = (pixels: number): Readonly<Record<string, string>> => ({
  GS_OPTIONS: '-dSAFER -dUseCropBox -dNoUserUnit',
  OMP_NUM_THREADS: '1',
  MAGICK_LIMIT_DISK: '0',
  MAGICK_LIMIT_MAP: '0',
  MAGICK_LIMIT_PIXELS: String(2 * pixels + 1_000_000), // before and after it is brought to its exact size
});

const nodeArguments = (order: PageOrder): readonly string[] => {
  const script = siblingModule('pdf2pic-child', import.meta.url);
  return [
    ...(script.pathname.endsWith('.ts') ? ['--conditions=@palimpsest/source'] : []),
    '--permission', // it writes nothing itself
    '--allow-fs-read=*',
    '--allow-child-process',
    '--no-warnings',
    fileURLToPath(script),
    JSON.stringify(order),
  ];
};

/** A PDF in a folder of its own, which is removed when it is closed. Each page is rendered by a child with a folder of its own. */
export class Pdf2picDocument implements RasterDocument {
  readonly #programs: Programs;
  readonly #installed: InstalledPrograms;
  readonly #folder: string;
  readonly #file: string;
  readonly #fileBytes: number;
  #pageCount = 0;
  readonly #boxes = new Map<number, PageBox>();
  #isClosed = false;

  private constructor(
    programs: Programs,
    installed: InstalledPrograms,
    folder: string,
    file: string,
    fileBytes: number,
  ) {
    this.#programs = programs;
    this.#installed = installed;
    this.#folder = folder;
    this.#file = file;
    this.#fileBytes = fileBytes;
  }

  /** Writes the file down, if it begins as a PDF, and learns whether it can be opened and how many pages it has. */
  static async open(
    programs: Programs,
    installed: InstalledPrograms,
    file: Uint8Array,
    { timeoutMs }: DecodeLimits,
    signal: Cancellation,
  ): Promise<Pdf2picDocument> {
    signal.throwIfAborted();
    // Anything else Ghostscript would run as a program, and GraphicsMagick read in whatever format it finds.
    if (Buffer.from(file.subarray(0, SIGNATURE.length)).toString('latin1') !== SIGNATURE) throw openingError('');
    const folder = await makePrivateFolder();
    try {
      const path = await writePrivateFile(folder, 'document.pdf', file);
      const document = new Pdf2picDocument(programs, installed, folder, path, file.length);
      await document.#askForBoxes(1, timeoutMs, signal, 'The PDF');
      return document;
    } catch (error) {
      await removePrivateFolder(folder);
      throw error;
    }
  }

  get pageCount(): number {
    return this.#pageCount;
  }

  async render(
    number: number,
    { maxPixels, timeoutMs }: DecodeLimits,
    signal: Cancellation,
  ): Promise<GreyImage & { readonly dpi: number }> {
    if (this.#isClosed) throw new TypeError('The document is closed.');
    if (!Number.isInteger(number) || number < 1 || number > this.pageCount)
      throw new TypeError(`There is no page ${number}.`);
    const subject = `Page ${number}`;
    const spentMs = this.#boxes.has(number) ? 0 : await this.#askForBoxes(number, timeoutMs, signal, subject);
    const { turn, ...box } = this.#boxes.get(number) ?? { width: 0, height: 0, turn: 0 };
    const shown = turnedSize(box, turn);
    const { width, height, dpi } = pageScale(number, shown.width, shown.height, maxPixels);
    const order = { file: this.#file, number, width, height, dpi };
    const { image, result } = await this.#draw(order, Math.max(1, timeoutMs - spentMs), signal);
    // That the programs end well says nothing: what counts is the page.
    if (image?.width === width && image.height === height) return { ...image, dpi };
    if (lackedMemory(result)) throw failuresOf(subject).outOfMemory(this.#installed.memoryLimitBytes);
    if (result.endedBy !== undefined) throw failuresOf(subject).crashed(describeEnd('pdf2pic', result));
    throw new AppError('DOCUMENT_DAMAGED', `${subject} of the PDF is damaged and cannot be rendered.`, {
      cause: new Error(describeEnd('pdf2pic', result)),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await removePrivateFolder(this.#folder);
  }

  #draw(
    order: PageOrder,
    timeoutMs: number,
    signal: Cancellation,
  ): Promise<{ image: GreyImage | undefined; result: ProgramResult }> {
    const pixels = order.width * order.height;
    return withPrivateFolder(async (folder) => {
      const result = await this.#programs.run({
        program: process.execPath,
        arguments: nodeArguments(order),
        leash: true,
        environment: environmentFor(pixels),
        folder,
        timeoutMs,
        signal,
        subject: `Page ${order.number}`,
        memoryLimitBytes: this.#installed.memoryLimitBytes,
        startsOthers: true,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        maxFileBytes: Math.max(3 * pixels, this.#fileBytes) + SPARE_FILE_BYTES, // Ghostscript writes colours
      });
      const image =
        result.exitCode === 0 ? await readPage(join(folder, `${PAGE_FILE}.${order.number}.pgm`)) : undefined;
      return { image, result };
    });
  }

  /** Learns the boxes of page `first` and some that follow. Gives the time that it took. */
  async #askForBoxes(first: number, timeoutMs: number, signal: Cancellation, subject: string): Promise<number> {
    const { gs, memoryLimitBytes } = this.#installed;
    const range = [`-dFirst=${first}`, `-dLast=${first + BOXES_AT_ONCE - 1}`];
    const quiet = ['-q', '-dSAFER', '-dNODISPLAY', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT'];
    const result = await this.#programs.run({
      program: gs,
      arguments: [...quiet, `--permit-file-read=${this.#file}`, `-sF=${this.#file}`, ...range, '-c', BOXES_PROGRAM],
      timeoutMs,
      signal,
      subject,
      memoryLimitBytes,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    const said = result.output.toString('utf8');
    if (lackedMemory(result)) throw failuresOf(subject).outOfMemory(memoryLimitBytes);
    if (result.endedBy !== undefined) throw failuresOf(subject).crashed(describeEnd('gs', result));
    const info = parseBoxes(said);
    if (info === undefined || info.pageCount < 1) throw openingError(said + result.errors);
    this.#pageCount = info.pageCount;
    for (const [number, box] of info.pages) this.#boxes.set(number, box);
    return result.elapsedMs;
  }
}

const readPage = async (path: string): Promise<GreyImage | undefined> => {
  try {
    return decodePgm(await readFile(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
