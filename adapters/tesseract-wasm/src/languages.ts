import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

// Codes become parts of package names and of paths: nothing but what Tesseract's own names are made of.
const LANGUAGE_STRING = /^\w+(?:\+\w+)*$/;
const MAX_LANGUAGES = 10;
const INTEGER_MODELS = '4.0.0_best_int'; // LSTM alone; nearest to the quality of `tessdata_best` at a fraction of the time
const LEGACY_MODELS = '4.0.0'; // orientation detection needs the legacy engine

/** The codes of a language string, `undefined` if it is none. */
export const parseLanguages = (language: string): readonly string[] | undefined => {
  if (language.length > 200 || !LANGUAGE_STRING.test(language)) return undefined;
  const codes = [...new Set(language.split('+'))];
  return codes.length <= MAX_LANGUAGES ? codes : undefined;
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' || error.code === 'ENOENT');

/** The trained data of one language in the npm package `@tesseract.js-data/<code>`; `undefined` if it is not installed. */
const findModel = async (code: string, kind: string): Promise<string | undefined> => {
  try {
    const folder = dirname(require.resolve(`@tesseract.js-data/${code}/package.json`));
    const file = join(folder, kind, `${code}.traineddata.gz`);
    await access(file);
    return file;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** The file with what recognition needs for a language. */
export const findLanguageModel = (code: string): Promise<string | undefined> => findModel(code, INTEGER_MODELS);

/** The file with what orientation detection needs. */
export const findOrientationModel = (): Promise<string | undefined> => findModel('osd', LEGACY_MODELS);
