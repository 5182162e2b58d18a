import type { ChildPool, ReservedChild, RequestOptions } from '@palimpsest/child-process';
import { pdfWithoutPages } from '@palimpsest/core';
import type {
  Cancellation,
  DecodeLimits,
  GreyImage,
  RasterDocument,
  TextLayerDocument,
  TextLayerPage,
} from '@palimpsest/core';
import type { ImageAnswer, OpenedAnswer, PdfRequest, TextAnswer } from './requests.ts';

// The affinity of a child is a key of its open file. As the affinity, the file itself would stay in memory while
// the child is idle.
const keys = new WeakMap<Uint8Array, symbol>();

const keyOf = (file: Uint8Array): symbol => {
  const key = keys.get(file) ?? Symbol('file');
  keys.set(file, key);
  return key;
};

/**
 * A PDF document. Each call gets a child of the pool for one page, and opens the file there unless the child has it
 * open. Thus a long document does not block other documents, and a page after a crash is read by a new child.
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

  /** Opens a file, which checks it, and counts its pages. */
  static async open(
    pool: ChildPool,
    file: Uint8Array,
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<PdfiumDocument> {
    const options = { timeoutMs: limits.timeoutMs, signal, subject: 'The PDF' };
    const pageCount = await pool.use(keyOf(file), signal, (child) => openIn(child, file, options));
    if (pageCount < 1) throw pdfWithoutPages();
    return new PdfiumDocument(pool, file, pageCount);
  }

  render(number: number, limits: DecodeLimits, signal: Cancellation): Promise<GreyImage & { readonly dpi: number }> {
    return this.#request<ImageAnswer>({ kind: 'render', number, maxPixels: limits.maxPixels }, limits, signal);
  }

  async read(number: number, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerPage> {
    const page = await this.#request<TextAnswer>({ kind: 'read', number, maxPixels: limits.maxPixels }, limits, signal);
    return { ...page, confidence: page.words.length === 0 ? 0 : 1 };
  }

  async close(): Promise<void> {
    this.#file = undefined;
  }

  async #request<Answer>(
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

const openIn = async (child: ReservedChild, file: Uint8Array, options: RequestOptions): Promise<number> => {
  child.affinity = undefined;
  const { pageCount } = await child.request<OpenedAnswer>({ kind: 'open', file }, options);
  child.affinity = keyOf(file);
  return pageCount;
};
