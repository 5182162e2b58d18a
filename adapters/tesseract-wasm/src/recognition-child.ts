import { serveRequests } from '@palimpsest/child-process';
import { pageTextOf, readTesseractTsv } from '@palimpsest/core';
import type { Model, RecognizeAnswer, RecognizeRequest } from './requests.ts';
import { addModel, loadCore, setImage } from './tesseract-core.ts';
import type { TesseractApi } from './tesseract-core.ts';

// A child of the pool: one Tesseract, for one language string at a time.

const LSTM_ONLY = 1; // the legacy engine adapts to what it has read, and would carry it to the next document
const SEGMENT_AUTOMATICALLY = '3';
const THRESHOLDING = { global: '0', adaptive: '1' }; // Otsu over the page; Otsu tile by tile (Leptonica)
// The tiles are a third of an inch: without a resolution Tesseract takes 70 dpi, and tiles smaller than letters. The size
// of letters it estimates better by itself than from a resolution that a file claims.
const RESOLUTION = { global: '0', adaptive: '300' };
const MIN_SIDE = 3; // Tesseract takes no smaller image

const core = await loadCore('lstm');
let ready: { readonly languages: string; readonly api: TesseractApi } | undefined;

const makeReady = async (models: readonly Model[]): Promise<TesseractApi> => {
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
  const api = await makeReady(models);
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
