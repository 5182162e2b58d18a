import { describeEnd, encodePgm, failuresOf, ranOutOfMemory } from '@palimpsest/child-process';
import type { ProgramPool, ProgramResult } from '@palimpsest/child-process';
import { assertReadableSize, tooLargeToRead, type AppError } from '@palimpsest/core';
import type { Cancellation, GreyImage, OcrEngine, OcrRequest, Orientation, PageText } from '@palimpsest/core';
import { installedCodes } from './installed-languages.ts';
import { parseOrientation, parsePage } from './parse-output.ts';

const MIN_SIDE = 3; // Tesseract refuses smaller images
const MAX_OUTPUT_BYTES = 64_000_000;

const LSTM_ONLY = ['--oem', '1']; // the legacy engine learns from the pages that it reads, across documents
const SEGMENT_AUTOMATICALLY = ['--psm', '3'];
const ORIENTATION_ONLY = ['--psm', '0'];
// Otsu (one threshold for the page) and Sauvola (one for each pixel). Wrong characters on three book pages in four
// kinds of uneven light: 26 to 48 % with Otsu, 0.6 to 1.1 % with Sauvola, 0.7 to 21 % with tiled Otsu.
const THRESHOLDING = { global: '0', adaptive: '2' };
// Sauvola needs a resolution, because its window is a third of an inch. With `global` it is 0: Tesseract estimates the
// letter size better from the image than from the resolution in a file.
const RESOLUTION = { global: '0', adaptive: '300' };

/** The installed program. */
export interface InstalledTesseract {
  readonly program: string; // absolute path
  readonly languages: ReadonlySet<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryLimitBytes: number;
}

const setting = (name: string, value: string): readonly string[] => ['-c', `${name}=${value}`];

/**
 * Runs the program `tesseract` once for each image. The program gets only images that this class has encoded itself.
 */
export class TesseractNativeEngine implements OcrEngine {
  readonly name = 'tesseract';
  readonly #pool: ProgramPool;
  readonly #installed: InstalledTesseract;

  constructor(pool: ProgramPool, installed: InstalledTesseract) {
    this.#pool = pool;
    this.#installed = installed;
  }

  async supports(language: string): Promise<boolean> {
    return installedCodes(language, this.#installed.languages) !== undefined;
  }

  async recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText> {
    const { language, threshold, timeoutMs } = request;
    signal.throwIfAborted();
    assertReadableSize(image);
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
    assertReadableSize(image);
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
    const result = await this.#pool.run({
      program,
      arguments: ['-', '-', ...options],
      input: encodePgm(image),
      environment,
      timeoutMs,
      signal,
      memoryLimitBytes,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    if (ranOutOfMemory(result)) throw failuresOf('the page').outOfMemory(memoryLimitBytes);
    return result;
  }

  #failure(result: ProgramResult): AppError {
    return /image too large/i.test(result.errors)
      ? tooLargeToRead()
      : failuresOf('the page').crashed(describeEnd('tesseract', result));
  }
}
