import type { Cancellation, GreyImage, OcrEngine, OcrRequest, Orientation, PageText } from '@palimpsest/core';
import { readToyImage } from './toy-files.ts';
import { toyText } from './toy-text.ts';

/** Reads toy images; each word has the confidence 0.9. It never detects an orientation. */
export class MemoryOcrEngine implements OcrEngine {
  readonly name = 'memory';
  readonly #languages: ReadonlySet<string>;

  constructor(languages: readonly string[] = ['eng', 'deu']) {
    this.#languages = new Set(languages);
  }

  async supports(language: string): Promise<boolean> {
    return language.split('+').every((code) => this.#languages.has(code));
  }

  async recognize(image: GreyImage, _request: OcrRequest, signal: Cancellation): Promise<PageText> {
    signal.throwIfAborted();
    return toyText(readToyImage(image), 0.9);
  }

  async detectOrientation(
    _image: GreyImage,
    _timeoutMs: number,
    signal: Cancellation,
  ): Promise<Orientation | undefined> {
    signal.throwIfAborted();
    return undefined;
  }
}
