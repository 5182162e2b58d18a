import { describeConfinement, findProgram, Programs, sweepPrivateFolders } from '@palimpsest/child-process';
import type { ProgramResult } from '@palimpsest/child-process';
import { isAppError } from '@palimpsest/core';
import { parseLanguageList } from './installed-languages.ts';
import { TesseractNativeEngine } from './tesseract-native-engine.ts';

export interface TesseractNativeOptions {
  readonly children: number; // pages recognised at once, >= 1; one process each
  readonly memoryLimitBytes?: number; // of one process: of addresses where the system limits them, else resident; 1 GB
  readonly program?: string; // absolute path; without it, `tesseract` is looked for on PATH
}

/** The engine and what ends its processes. */
export interface TesseractNative {
  readonly engine: TesseractNativeEngine;
  readonly version: string; // '5.3.0'
  readonly languages: readonly string[]; // of which models are installed
  readonly notes: readonly string[]; // what an operator may want to know, in sentences
  readonly close: () => Promise<void>;
}

/** Why there is no engine here, in a sentence for an operator. */
export interface TesseractMissing {
  readonly missing: string;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 1_000_000_000; // a page of 40 megapixels takes 220 MB of memory
const QUESTION_TIMEOUT_MS = 20_000;
const OLDEST_VERSION = 5; // the first that takes a threshold for uneven light

/** Tesseract's own variable for where its models are; beside it, more threads cost five times the processor time. */
const environmentOf = (): Readonly<Record<string, string>> => {
  const models = process.env['TESSDATA_PREFIX'];
  return { OMP_THREAD_LIMIT: '1', ...(models !== undefined && models !== '' && { TESSDATA_PREFIX: models }) };
};

const NO_ORIENTATION = 'Tesseract has no osd.traineddata: pages that stand on their heads are not set upright.';

/**
 * Looks for the program `tesseract` and its languages, and makes the engine. Which languages there are is read once: a
 * model that is installed later is found after the next start. No processes run until there is something to read.
 */
export const openTesseractNative = async ({
  children,
  memoryLimitBytes = DEFAULT_MEMORY_LIMIT_BYTES,
  program: given,
}: TesseractNativeOptions): Promise<TesseractNative | TesseractMissing> => {
  const program = given ?? (await findProgram('tesseract'));
  if (program === undefined) return { missing: 'The program tesseract is not installed, or not on PATH.' };
  await sweepPrivateFolders();
  const environment = environmentOf();
  const programs = new Programs(children);
  const ask = (question: string): Promise<ProgramResult> =>
    programs.run({
      program,
      arguments: [question],
      environment,
      timeoutMs: QUESTION_TIMEOUT_MS,
      signal: new AbortController().signal,
      subject: 'the version',
      maxOutputBytes: 1_000_000,
    });
  const version = await ask('--version').then(
    ({ output, errors }) => /^tesseract v?(\d+\.\S+)/m.exec(output.toString() + errors)?.[1],
    (error: unknown) => {
      if (isAppError(error, 'ENGINE_CRASHED', 'PAGE_TIMED_OUT')) return undefined;
      throw error;
    },
  );
  if (version === undefined) return { missing: 'The program tesseract does not run here.' };
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    return { missing: `Tesseract ${version} is installed, but at least ${OLDEST_VERSION} is needed.` };
  const languages = parseLanguageList((await ask('--list-langs')).output.toString());
  return {
    engine: new TesseractNativeEngine(programs, { program, languages, environment, memoryLimitBytes }),
    version,
    languages: [...languages],
    notes: [...(languages.has('osd') ? [] : [NO_ORIENTATION]), ...(await describeConfinement())],
    close: () => programs.close(),
  };
};
