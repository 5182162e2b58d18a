import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

// Language codes become parts of package names and paths, so only the characters of Tesseract's own names are allowed.
const LANGUAGE_STRING = /^\w+(?:\+\w+)*$/;
const MAX_LANGUAGES = 10;
const INTEGER_MODELS = '4.0.0_best_int'; // LSTM only; nearly the quality of `tessdata_best` in much less time
const LEGACY_MODELS = '4.0.0'; // with the legacy engine, which orientation detection needs

/** The codes of a language string such as `eng+deu`, without duplicates; `undefined` if it is malformed. */
export const parseLanguages = (language: string): readonly string[] | undefined => {
  if (language.length > 200 || !LANGUAGE_STRING.test(language)) return undefined;
  const codes = [...new Set(language.split('+'))];
  return codes.length <= MAX_LANGUAGES ? codes : undefined;
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' || error.code === 'ENOENT');

/** The path of a model in the npm package `@tesseract.js-data/<code>`; `undefined` if the package is not installed. */
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

/** The path of the recognition model of a language. */
export const findLanguageModel = (code: string): Promise<string | undefined> => findModel(code, INTEGER_MODELS);

/** The path of the model for orientation detection. */
export const findOrientationModel = (): Promise<string | undefined> => findModel('osd', LEGACY_MODELS);
