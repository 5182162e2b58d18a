import { serveRequests } from '@palimpsest/child-process';
import type { QuarterTurn } from '@palimpsest/core';
import type { OrientAnswer, OrientRequest } from './requests.ts';
import { addModel, loadCore, setImage } from './tesseract-core.ts';
import type { TesseractApi } from './tesseract-core.ts';

// The script of the child for orientation: Tesseract with the legacy engine.

const LEGACY_ONLY = 0;
const MIN_SIDE = 3;
// For each `orientation_id` (the number of clockwise quarter turns of the text), the rotation that makes the page
// upright.
const TURNS: readonly QuarterTurn[] = [0, 270, 180, 90];

const core = await loadCore('legacy');
let api: TesseractApi | undefined;

serveRequests(async ({ image, model }: OrientRequest): Promise<OrientAnswer> => {
  if (Math.min(image.width, image.height) < MIN_SIDE) return undefined;
  if (api === undefined) {
    await addModel(core, model);
    api = new core.TessBaseAPI();
    if (api.Init('/', model.code, LEGACY_ONLY) !== 0) throw new Error('Tesseract did not start for orientation.');
  }
  setImage(core, api, image);
  const results = new core.OSResults();
  const isDetected = api.DetectOS(results);
  const { orientation_id: id, oconfidence: confidence } = results.best_result;
  api.Clear();
  const degrees = TURNS[id];
  return isDetected && degrees !== undefined ? { degrees, confidence } : undefined;
});
