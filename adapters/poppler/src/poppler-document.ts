import {
  decodePgm,
  describeEnd,
  failuresOf,
  lackedMemory,
  makePrivateFolder,
  removePrivateFolder,
  writePrivateFile,
} from '@palimpsest/child-process';
import type { ProgramResult, Programs } from '@palimpsest/child-process';
import { AppError, pageScale, turnedSize } from '@palimpsest/core';
import type { Cancellation, DecodeLimits, GreyImage, RasterDocument } from '@palimpsest/core';
import { openingError, parsePdfInfo } from './pdf-info.ts';
import type { PageBox } from './pdf-info.ts';

const MAX_INFO_BYTES = 16_000_000;
const HEADER_BYTES = 100;
const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGTRAP'];
const BOXES_AT_ONCE = 100; // pages whose boxes are asked for together: it costs as much as for one

/** The programs of poppler, as they were found. */
export interface InstalledPoppler {
  readonly pdfinfo: string; // absolute paths
  readonly pdftoppm: string;
  readonly memoryLimitBytes: number;
}

/**
 * A PDF in a folder of its own, which is removed when it is closed. Pages are as large as PDFium has them, but for a crop
 * box that is larger than the page one way and yet does not cover it: poppler takes the whole page that way.
 */
export class PopplerDocument implements RasterDocument {
  readonly #programs: Programs;
  readonly #installed: InstalledPoppler;
  readonly #folder: string;
  readonly #file: string;
  #pageCount = 0;
  readonly #boxes = new Map<number, PageBox>();
  #isClosed = false;

  private constructor(programs: Programs, installed: InstalledPoppler, folder: string, file: string) {
    this.#programs = programs;
    this.#installed = installed;
    this.#folder = folder;
    this.#file = file;
  }

  /** Writes the file down, and learns whether it can be opened and how many pages it has. */
  static async open(
    programs: Programs,
    installed: InstalledPoppler,
    file: Uint8Array,
    { timeoutMs }: DecodeLimits,
    signal: Cancellation,
  ): Promise<PopplerDocument> {
    signal.throwIfAborted();
    const folder = await makePrivateFolder();
    try {
      const document = new PopplerDocument(
        programs,
        installed,
        folder,
        await writePrivateFile(folder, 'document.pdf', file),
      );
      await document.#askForBoxes(1, timeoutMs, signal, 'The PDF');
      if (document.pageCount < 1) throw new AppError('DOCUMENT_WITHOUT_PAGES', 'The PDF has no pages.');
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
    const spentMs = this.#boxes.has(number) ? 0 : await this.#askForBoxes(number, timeoutMs, signal, `Page ${number}`);
    const { turn, ...box } = this.#boxes.get(number) ?? { width: 0, height: 0, turn: 0 };
    const shown = turnedSize(box, turn);
    const { width, height, dpi } = pageScale(number, shown.width, shown.height, maxPixels);
    const page = String(number);
    // The size in pixels is cut to what was asked for, as a page is not a whole number of them.
    const size = ['-x', '0', '-y', '0', '-W', String(width), '-H', String(height)];
    const options = ['-q', '-gray', '-cropbox', '-f', page, '-l', page, '-r', String(dpi), ...size];
    const maxOutputBytes = width * height + HEADER_BYTES;
    const result = await this.#run(
      'pdftoppm',
      [...options, this.#file],
      maxOutputBytes,
      Math.max(1, timeoutMs - spentMs),
      signal,
      `Page ${number}`,
    );
    const image = result.exitCode === 0 ? decodePgm(result.output) : undefined;
    if (image?.width === width && image.height === height) return { ...image, dpi };
    throw new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF is damaged and cannot be rendered.`, {
      cause: new Error(describeEnd('pdftoppm', result)),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await removePrivateFolder(this.#folder);
  }

  /** Learns the boxes of page `first` and some that follow. Gives the time that it took. */
  async #askForBoxes(first: number, timeoutMs: number, signal: Cancellation, subject: string): Promise<number> {
    const range = ['-f', String(first), '-l', String(first + BOXES_AT_ONCE - 1)];
    const result = await this.#run('pdfinfo', [...range, this.#file], MAX_INFO_BYTES, timeoutMs, signal, subject);
    const info = result.exitCode === 0 ? parsePdfInfo(result.output.toString('utf8')) : undefined;
    if (info === undefined) throw openingError(result.errors);
    this.#pageCount = info.pageCount;
    for (const [number, box] of info.pages) this.#boxes.set(number, box);
    return result.elapsedMs;
  }

  async #run(
    name: 'pdfinfo' | 'pdftoppm',
    options: readonly string[],
    maxOutputBytes: number,
    timeoutMs: number,
    signal: Cancellation,
    subject: string,
  ): Promise<ProgramResult> {
    const { memoryLimitBytes, [name]: program } = this.#installed;
    const result = await this.#programs.run({
      program,
      arguments: options,
      timeoutMs,
      signal,
      subject,
      memoryLimitBytes,
      maxOutputBytes,
    });
    if (lackedMemory(result)) throw failuresOf(subject).outOfMemory(memoryLimitBytes);
    if (result.endedBy === undefined) return result;
    // By what the file holds it crashes, and would at each try; by any other signal somebody else has ended it.
    if (!CRASHES.includes(result.endedBy)) throw failuresOf(subject).crashed(describeEnd(name, result));
    const message = `${subject}${subject === 'The PDF' ? '' : ' of the PDF'} is built in a way that cannot be read.`;
    throw new AppError('DOCUMENT_DAMAGED', message, { cause: new Error(describeEnd(name, result)) });
  }
}
