import { describeMissingLimits, findProgram, ProgramPool, removeOrphanedFolders } from '@palimpsest/child-process';
import type { ProgramResult } from '@palimpsest/child-process';
import { isAppError } from '@palimpsest/core';
import { parseLanguageList } from './installed-languages.ts';
import { TesseractNativeEngine } from './tesseract-native-engine.ts';

/** The settings of {@link openTesseractNative}. */
export interface TesseractNativeOptions {
  readonly children: number; // pages recognised at the same time, 1 or more; one process for each page
  /**
   * The limit of one process on its address space, or on its resident memory where the system cannot limit addresses.
   * Default: 1 GB.
   */
  readonly memoryLimitBytes?: number;
  readonly program?: string; // absolute path; default: the first `tesseract` on PATH
}

/** The engine. `close` ends its processes. */
export interface TesseractNative {
  readonly engine: TesseractNativeEngine;
  readonly version: string; // for example '5.3.0'
  readonly languages: readonly string[]; // the installed models
  readonly notes: readonly string[]; // hints for an operator, as sentences
  readonly close: () => Promise<void>;
}

/** The reason why there is no engine, as a sentence for an operator. */
export interface TesseractMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_000_000_000; // a page of 40 megapixels needs 220 MB
const QUERY_TIMEOUT_MS = 20_000;
const MIN_VERSION = 5; // the first version with adaptive thresholding

/**
 * One thread, because several threads need five times the CPU time. `TESSDATA_PREFIX` is the folder of Tesseract's
 * models.
 */
const tesseractEnvironment = (): Readonly<Record<string, string>> => {
  const models = process.env['TESSDATA_PREFIX'];
  return { OMP_THREAD_LIMIT: '1', ...(models !== undefined && models !== '' && { TESSDATA_PREFIX: models }) };
};

const NO_ORIENTATION =
  'Tesseract has no osd.traineddata: pages that are upside down or sideways are not rotated upright.';

/**
 * Looks up the program `tesseract` and its languages, and makes the engine. It reads the languages once, so a model
 * that is installed later is found only after a restart. The engine starts processes only for its calls.
 */
export const openTesseractNative = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
  program: given,
}: TesseractNativeOptions): Promise<TesseractNative | TesseractMissing> => {
  const program = given ?? (await findProgram('tesseract'));
  if (program === undefined) return { missing: 'The program tesseract is not installed, or not on PATH.' };
  await removeOrphanedFolders();
  const environment = tesseractEnvironment();
  const pool = new ProgramPool(children);
  const query = (option: string): Promise<ProgramResult> =>
    pool.run({
      program,
      arguments: [option],
      environment,
      timeoutMs: QUERY_TIMEOUT_MS,
      signal: new AbortController().signal,
      subject: 'the version',
      maxOutputBytes: 1_000_000,
    });
  const version = await query('--version').then(
    ({ output, errors }) => /^tesseract v?(\d+\.\S+)/m.exec(output.toString() + errors)?.[1],
    (error: unknown) => {
      if (isAppError(error, 'ENGINE_CRASHED', 'PAGE_TIMED_OUT')) return undefined;
      throw error;
    },
  );
  if (version === undefined) return { missing: 'The program tesseract does not run here.' };
  if (Number.parseInt(version, 10) < MIN_VERSION)
    return { missing: `Tesseract ${version} is installed, but at least ${MIN_VERSION} is needed.` };
  const languages = parseLanguageList((await query('--list-langs')).output.toString());
  return {
    engine: new TesseractNativeEngine(pool, { program, languages, environment, memoryLimitBytes }),
    version,
    languages: [...languages],
    notes: [...(languages.has('osd') ? [] : [NO_ORIENTATION]), ...(await describeMissingLimits())],
    close: () => pool.close(),
  };
};
