import { describeEnd, encodePgm, failuresOf, lackedMemory } from '@palimpsest/child-process';
import type { ProgramResult, Programs } from '@palimpsest/child-process';
import { AppError } from '@palimpsest/core';
import type { Cancellation, GreyImage, OcrEngine, OcrRequest, Orientation, PageText } from '@palimpsest/core';
import { installedCodes } from './installed-languages.ts';
import { parseOrientation, parsePage } from './parse-output.ts';

const MAX_SIDE = 32_767; // Tesseract's own limit
const MIN_SIDE = 3; // it takes no smaller image
const MAX_OUTPUT_BYTES = 64_000_000;

const LSTM_ONLY = ['--oem', '1']; // the legacy engine adapts to what it has read
const SEGMENT_AUTOMATICALLY = ['--psm', '3'];
const ORIENTATION_ONLY = ['--psm', '0'];
// Otsu over the page; Sauvola around each pixel. Measured on three book pages in four kinds of light: 26 to 48 % of wrong
// characters by the first, 0.6 to 1.1 % by the second, 0.7 to 21 % by Otsu tile by tile.
const THRESHOLDING = { global: '0', adaptive: '2' };
// What is around a pixel is a third of an inch. The size of letters Tesseract estimates better by itself than from a
// resolution that a file claims.
const RESOLUTION = { global: '0', adaptive: '300' };

/** The program and what it can do, as it was found. */
export interface InstalledTesseract {
  readonly program: string; // absolute path
  readonly languages: ReadonlySet<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryLimitBytes: number;
}

const setting = (name: string, value: string): readonly string[] => ['-c', `${name}=${value}`];

const assertSize = ({ width, height }: GreyImage): void => {
  if (Math.max(width, height) > MAX_SIDE) throw tooLarge();
};

const tooLarge = (): AppError =>
  new AppError('PAGE_TOO_LARGE', `The page is too large to be read: a side may have ${MAX_SIDE} pixels at most.`);

/** The program `tesseract`, a process for each image. It is only ever given images that were encoded here. */
export class TesseractNativeEngine implements OcrEngine {
  readonly name = 'tesseract';
  readonly #programs: Programs;
  readonly #installed: InstalledTesseract;

  constructor(programs: Programs, installed: InstalledTesseract) {
    this.#programs = programs;
    this.#installed = installed;
  }

  async supports(language: string): Promise<boolean> {
    return installedCodes(language, this.#installed.languages) !== undefined;
  }

  async recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText> {
    const { language, threshold, timeoutMs } = request;
    signal.throwIfAborted();
    assertSize(image);
    const codes = installedCodes(language, this.#installed.languages);
    if (codes === undefined) throw new TypeError(`The language ${JSON.stringify(language)} is not supported.`);
    if (Math.min(image.width, image.height) < MIN_SIDE) return { text: '', confidence: 0, words: [] };
    const options = [
      '-l',
      codes.join('+'),
      ...LSTM_ONLY,
      ...SEGMENT_AUTOMATICALLY,
      ...setting('thresholding_method', THRESHOLDING[threshold]),
      ...setting('user_defined_dpi', RESOLUTION[threshold]),
      ...setting('tessedit_create_tsv', '1'),
      ...setting('tessedit_create_txt', '1'),
    ];
    const result = await this.#run(image, options, timeoutMs, signal);
    const page = result.exitCode === 0 ? parsePage(result.output.toString('utf8')) : undefined;
    if (page === undefined) throw this.#failure(result);
    return page;
  }

  async detectOrientation(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Orientation | undefined> {
    signal.throwIfAborted();
    assertSize(image);
    if (!this.#installed.languages.has('osd') || Math.min(image.width, image.height) < MIN_SIDE) return undefined;
    const result = await this.#run(image, ['-l', 'osd', ...ORIENTATION_ONLY], timeoutMs, signal);
    if (result.exitCode === 0) return parseOrientation(result.output.toString('utf8'));
    if (/too few characters/i.test(result.errors)) return undefined;
    throw this.#failure(result);
  }

  async #run(
    image: GreyImage,
    options: readonly string[],
    timeoutMs: number,
    signal: Cancellation,
  ): Promise<ProgramResult> {
    const { program, environment, memoryLimitBytes } = this.#installed;
    const result = await this.#programs.run({
      program,
      arguments: ['-', '-', ...options],
      input: encodePgm(image),
      environment,
      timeoutMs,
      signal,
      memoryLimitBytes,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    // It may end well with words left out.
    if (lackedMemory(result)) throw failuresOf('the page').outOfMemory(memoryLimitBytes);
    return result;
  }

  #failure(result: ProgramResult): AppError {
    return /image too large/i.test(result.errors)
      ? tooLarge()
      : failuresOf('the page').crashed(describeEnd('tesseract', result));
  }
}
