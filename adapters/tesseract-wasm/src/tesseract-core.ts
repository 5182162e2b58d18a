import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type { GreyImage } from '@palimpsest/core';
import type { Model } from './requests.ts';

/** The functions of Tesseract's API (baseapi.h) that this package uses, as WebAssembly exports them. */
export interface TesseractApi {
  Init(dataPath: string, languages: string, engineMode: number): number; // 0 is success
  SetVariable(name: string, value: string): boolean;
  SetImageFile(exifOrientation: number, radians: number): number; // reads INPUT_FILE; 1 is failure
  Recognize(monitor: null): number; // 0 is success
  GetUTF8Text(): string;
  GetTSVText(page: number): string;
  DetectOS(results: OrientationResults): boolean;
  Clear(): void;
  End(): void;
}

/** The result of orientation detection. */
export interface OrientationResults {
  readonly best_result: { readonly orientation_id: number; readonly oconfidence: number };
}

/** Tesseract compiled to WebAssembly, with its file system in memory. */
export interface TesseractCore {
  readonly TessBaseAPI: new () => TesseractApi;
  readonly OSResults: new () => OrientationResults;
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
}

type CoreFactory = (module: {
  TesseractProgress(percent: number): void;
  print(): void;
  printErr(): void;
}) => Promise<TesseractCore>;

/** Tests whether this processor and Node support certain extensions of WebAssembly. */
interface FeatureTests {
  simd(): Promise<boolean>;
  relaxedSimd(): Promise<boolean>;
}

const INPUT_FILE = '/input';

// tesseract.js itself runs this core in a thread, downloads models that it does not find, and caches them in the
// working folder. The core alone has no access to the network or to files: it sees only the files in its memory.
const ownRequire = createRequire(import.meta.url);
const require = createRequire(ownRequire.resolve('tesseract.js'));

const silent = (): void => {};

/** Loads Tesseract: with the LSTM engine only, or with the legacy engine, which orientation detection needs. */
export const loadCore = async (engine: 'lstm' | 'legacy'): Promise<TesseractCore> => {
  const features: FeatureTests = require('wasm-feature-detect');
  const simd = (await features.relaxedSimd()) ? '-relaxedsimd' : (await features.simd()) ? '-simd' : '';
  const factory: CoreFactory = require(`tesseract.js-core/tesseract-core${simd}${engine === 'lstm' ? '-lstm' : ''}`);
  return factory({ TesseractProgress: silent, print: silent, printErr: silent });
};

/** Adds a model to the file system of the core, where `Init('/', …)` finds it. */
export const addModel = async (core: TesseractCore, { code, file }: Model): Promise<void> => {
  core.FS.writeFile(`/${code}.traineddata`, gunzipSync(await readFile(file)));
};

// A comment fills the first 500 bytes, because the wrapper of the core searches them for EXIF data and must find none.
const PADDING = ' '.repeat(512);

const encodePgm = ({ width, height, data }: GreyImage): Uint8Array => {
  const header = new TextEncoder().encode(`P5\n#${PADDING}\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + data.length);
  file.set(header);
  file.set(data, header.length);
  return file;
};

/** Sets the image to read. Tesseract gets only PGM files that this function encodes. */
export const setImage = (core: TesseractCore, api: TesseractApi, image: GreyImage): void => {
  core.FS.writeFile(INPUT_FILE, encodePgm(image));
  try {
    if (api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract did not accept the image.');
  } finally {
    core.FS.unlink(INPUT_FILE);
  }
};
