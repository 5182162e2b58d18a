import type { ChildPool } from '@palimpsest/child-process';
import { assertReadableSize } from '@palimpsest/core';
import type { Cancellation, GreyImage, OcrEngine, OcrRequest, Orientation, PageText } from '@palimpsest/core';
import { findLanguageModel, findOrientationModel, parseLanguages } from './languages.ts';
import type { Model, OrientAnswer, OrientRequest, RecognizeAnswer, RecognizeRequest } from './requests.ts';

/** Tesseract compiled to WebAssembly, in child processes. It needs no installed program. */
export class TesseractWasmEngine implements OcrEngine {
  readonly name = 'tesseract.js';
  readonly #recognition: ChildPool;
  readonly #orientation: ChildPool;

  constructor(recognition: ChildPool, orientation: ChildPool) {
    this.#recognition = recognition;
    this.#orientation = orientation;
  }

  async supports(language: string): Promise<boolean> {
    return (await this.#findModels(language)) !== undefined;
  }

  async recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText> {
    const { language, threshold, timeoutMs } = request;
    signal.throwIfAborted();
    assertReadableSize(image);
    const models = await this.#findModels(language);
    if (models === undefined) throw new TypeError(`The language ${JSON.stringify(language)} is not supported.`);
    const recognizeRequest: RecognizeRequest = { image, models, threshold };
    return this.#recognition.use(language, signal, (child) => {
      child.affinity = language;
      return child.request<RecognizeAnswer>(recognizeRequest, { timeoutMs, signal });
    });
  }

  async detectOrientation(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Orientation | undefined> {
    signal.throwIfAborted();
    assertReadableSize(image);
    const file = await findOrientationModel();
    if (file === undefined) return undefined;
    const request: OrientRequest = { image, model: { code: 'osd', file } };
    return this.#orientation.run<OrientAnswer>(request, { timeoutMs, signal });
  }

  async #findModels(language: string): Promise<readonly Model[] | undefined> {
    const models: Model[] = [];
    for (const code of parseLanguages(language) ?? []) {
      const file = await findLanguageModel(code);
      if (file === undefined) return undefined;
      models.push({ code, file });
    }
    return models.length === 0 ? undefined : models;
  }
}
