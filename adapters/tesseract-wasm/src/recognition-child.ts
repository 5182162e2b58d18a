import { serveRequests } from '@palimpsest/child-process';
import { pageTextOf, readTesseractTsv } from '@palimpsest/core';
import type { Model, RecognizeAnswer, RecognizeRequest } from './requests.ts';
import { addModel, loadCore, setImage } from './tesseract-core.ts';
import type { TesseractApi } from './tesseract-core.ts';

// The script of the children for recognition. A child keeps Tesseract initialised for one language string.

const LSTM_ONLY = 1; // the legacy engine learns from the pages that it reads, across documents
const SEGMENT_AUTOMATICALLY = '3';
const THRESHOLDING = { global: '0', adaptive: '1' }; // Otsu for the page; tiled Otsu (Leptonica)
// A tile is a third of an inch. Without a resolution, Tesseract assumes 70 dpi and makes tiles smaller than letters.
// With `global` it is 0: Tesseract estimates the letter size better from the image than from the resolution in a file.
const RESOLUTION = { global: '0', adaptive: '300' };
const MIN_SIDE = 3; // Tesseract refuses smaller images

const core = await loadCore('lstm');
let ready: { readonly languages: string; readonly api: TesseractApi } | undefined;

/** Returns the API, initialised with these models. It stays initialised for the next request with the same models. */
const prepareApi = async (models: readonly Model[]): Promise<TesseractApi> => {
  const languages = models.map(({ code }) => code).join('+');
  if (ready?.languages === languages) return ready.api;
  ready?.api.End();
  ready = undefined;
  for (const model of models) await addModel(core, model);
  const api = new core.TessBaseAPI();
  if (api.Init('/', languages, LSTM_ONLY) !== 0) throw new Error(`Tesseract did not start for ${languages}.`);
  ready = { languages, api };
  return api;
};

serveRequests(async ({ image, models, threshold }: RecognizeRequest): Promise<RecognizeAnswer> => {
  if (Math.min(image.width, image.height) < MIN_SIDE) return { text: '', confidence: 0, words: [] };
  const api = await prepareApi(models);
  api.SetVariable('tessedit_pageseg_mode', SEGMENT_AUTOMATICALLY);
  api.SetVariable('thresholding_method', THRESHOLDING[threshold]);
  api.SetVariable('user_defined_dpi', RESOLUTION[threshold]);
  setImage(core, api, image);
  if (api.Recognize(null) !== 0) throw new Error('Tesseract could not read the image.');
  const words = readTesseractTsv(api.GetTSVText(0));
  const page = pageTextOf(words.length === 0 ? '' : api.GetUTF8Text(), words);
  api.Clear();
  return page;
});
