import type { ChildPool, HeldChild, RequestOptions } from '@palimpsest/child-process';
import { AppError } from '@palimpsest/core';
import type {
  Cancellation,
  DecodeLimits,
  GreyImage,
  RasterDocument,
  TextLayerDocument,
  TextLayerPage,
} from '@palimpsest/core';
import type { ImageAnswer, OpenedAnswer, PdfRequest, TextAnswer } from './requests.ts';

// Children remember which file they hold by a key, so that an idle child does not keep the file itself in memory.
const keys = new WeakMap<Uint8Array, symbol>();

const keyOf = (file: Uint8Array): symbol => {
  const key = keys.get(file) ?? Symbol('file');
  keys.set(file, key);
  return key;
};

/**
 * A PDF that is opened in whichever child works on it. No child is held between two calls: a document in use cannot
 * keep another one waiting for ever, and after a page that killed its child the next page is read by another one.
 */
export class PdfiumDocument implements RasterDocument, TextLayerDocument {
  readonly pageCount: number;
  readonly #pool: ChildPool;
  #file: Uint8Array | undefined;

  private constructor(pool: ChildPool, file: Uint8Array, pageCount: number) {
    this.#pool = pool;
    this.#file = file;
    this.pageCount = pageCount;
  }

  /** Opens a file, to learn that it can be opened and how many pages it has. */
  static async open(
    pool: ChildPool,
    file: Uint8Array,
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<PdfiumDocument> {
    const options = { timeoutMs: limits.timeoutMs, signal, subject: 'The PDF' };
    const pageCount = await pool.use(keyOf(file), signal, (child) => openIn(child, file, options));
    if (pageCount < 1) throw new AppError('DOCUMENT_WITHOUT_PAGES', 'The PDF has no pages.');
    return new PdfiumDocument(pool, file, pageCount);
  }

  render(number: number, limits: DecodeLimits, signal: Cancellation): Promise<GreyImage & { readonly dpi: number }> {
    return this.#ask<ImageAnswer>({ kind: 'render', number, maxPixels: limits.maxPixels }, limits, signal);
  }

  async read(number: number, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerPage> {
    const page = await this.#ask<TextAnswer>({ kind: 'read', number, maxPixels: limits.maxPixels }, limits, signal);
    return { ...page, confidence: page.words.length === 0 ? 0 : 1 };
  }

  async close(): Promise<void> {
    this.#file = undefined;
  }

  async #ask<Answer>(
    request: Exclude<PdfRequest, { kind: 'open' }>,
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Answer> {
    const { number } = request;
    const file = this.#file;
    if (file === undefined) throw new TypeError('The document is closed.');
    if (!Number.isInteger(number) || number < 1 || number > this.pageCount)
      throw new TypeError(`There is no page ${number}.`);
    const options = { timeoutMs: limits.timeoutMs, signal, subject: `Page ${number}` };
    return this.#pool.use(keyOf(file), signal, async (child) => {
      if (child.affinity !== keyOf(file)) await openIn(child, file, options);
      return child.request<Answer>(request, options);
    });
  }
}

const openIn = async (child: HeldChild, file: Uint8Array, options: RequestOptions): Promise<number> => {
  child.affinity = undefined;
  const { pageCount } = await child.request<OpenedAnswer>({ kind: 'open', file }, options);
  child.affinity = keyOf(file);
  return pageCount;
};
