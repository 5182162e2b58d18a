import { AppError, isAppError, type ErrorCode, type Rasterizer } from '@palimpsest/core';
import { expect } from 'chai';
import { withFallback } from '../src/fallback-rasterizer.ts';

const LIMITS = { maxPixels: 1_000_000, timeoutMs: 1000 };
const { signal } = new AbortController();

/** A rasterizer whose pages are one pixel of `shade`. `refuses` is the error for the file, `page1` the error for page 1. */
const aRasterizer = (
  shade: number,
  { refuses, pages = 2, page1 }: { refuses?: ErrorCode; pages?: number; page1?: ErrorCode } = {},
) => {
  const seen = { opened: 0, closed: 0 };
  const rasterizer: Rasterizer = {
    mediaTypes: ['application/pdf'],
    open: async () => {
      if (refuses) throw new AppError(refuses, `refused by ${shade}`);
      seen.opened++;
      return {
        pageCount: pages,
        render: async (number) => {
          if (number === 1 && page1) throw new AppError(page1, `page refused by ${shade}`);
          return { width: 1, height: 1, data: Uint8Array.of(shade) };
        },
        close: async () => {
          seen.closed++;
        },
      };
    },
  };
  return { rasterizer, seen };
};

const open = (first: { rasterizer: Rasterizer }, second: { rasterizer: Rasterizer }) =>
  withFallback(first.rasterizer, second.rasterizer).open(Uint8Array.of(1), LIMITS, signal);

const shadeOf = async (
  first: { rasterizer: Rasterizer },
  second: { rasterizer: Rasterizer },
  number = 1,
): Promise<unknown> => {
  const document = await open(first, second);
  try {
    return (await document.render(number, LIMITS, signal)).data[0];
  } finally {
    await document.close();
  }
};

const refusal = async (task: Promise<unknown>): Promise<string> => {
  try {
    await task;
  } catch (error) {
    if (isAppError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
};

describe('withFallback', () => {
  it('renders with the first rasterizer if it can open the file and its pages', async () => {
    const [first, second] = [aRasterizer(1), aRasterizer(2)];
    expect(await shadeOf(first, second)).to.equal(1);
    expect([first.seen, second.seen]).to.deep.equal([
      { opened: 1, closed: 1 },
      { opened: 0, closed: 0 },
    ]);
  });

  for (const refuses of ['DOCUMENT_DAMAGED', 'DOCUMENT_WITHOUT_PAGES'] as const) {
    it(`opens the file with the second rasterizer if the first reports it as ${refuses}`, async () => {
      const second = aRasterizer(2);
      expect(await shadeOf(aRasterizer(1, { refuses }), second)).to.equal(2);
      expect(second.seen).to.deep.equal({ opened: 1, closed: 1 });
    });
  }

  for (const refuses of [
    'DOCUMENT_ENCRYPTED',
    'PAGE_TOO_LARGE',
    'PAGE_TIMED_OUT',
    'PAGE_OUT_OF_MEMORY',
    'ENGINE_CRASHED',
  ] as const) {
    it(`does not try the second rasterizer after ${refuses}`, async () => {
      const second = aRasterizer(2);
      expect(await refusal(open(aRasterizer(1, { refuses }), second))).to.equal(`${refuses} refused by 1`);
      expect(await refusal(shadeOf(aRasterizer(1, { page1: refuses }), second))).to.equal(
        `${refuses} page refused by 1`,
      );
      expect(second.seen.opened).to.equal(0);
    });
  }

  it('throws the error of the first rasterizer if both report damage, and any other error of the second one', async () => {
    const damaged = aRasterizer(1, { refuses: 'DOCUMENT_DAMAGED' });
    expect(await refusal(open(damaged, aRasterizer(2, { refuses: 'DOCUMENT_WITHOUT_PAGES' })))).to.equal(
      'DOCUMENT_DAMAGED refused by 1',
    );
    expect(await refusal(open(damaged, aRasterizer(2, { refuses: 'DOCUMENT_ENCRYPTED' })))).to.equal(
      'DOCUMENT_ENCRYPTED refused by 2',
    );
    const page = aRasterizer(1, { page1: 'DOCUMENT_DAMAGED' });
    expect(await refusal(shadeOf(page, aRasterizer(2, { page1: 'DOCUMENT_DAMAGED' })))).to.equal(
      'DOCUMENT_DAMAGED page refused by 1',
    );
    expect(await refusal(shadeOf(page, aRasterizer(2, { refuses: 'DOCUMENT_DAMAGED' })))).to.equal(
      'DOCUMENT_DAMAGED page refused by 1',
    );
    expect(await refusal(shadeOf(page, aRasterizer(2, { page1: 'PAGE_TOO_LARGE' })))).to.equal(
      'PAGE_TOO_LARGE page refused by 2',
    );
  });

  it('renders only the damaged pages with the second rasterizer, if both count the same number of pages', async () => {
    const [first, second] = [aRasterizer(1, { page1: 'DOCUMENT_DAMAGED' }), aRasterizer(2)];
    const document = await open(first, second);
    const shades = await Promise.all(
      [1, 1, 2].map(async (number) => (await document.render(number, LIMITS, signal)).data[0]),
    );
    expect(shades).to.deep.equal([2, 2, 1]);
    await document.close();
    expect([first.seen, second.seen]).to.deep.equal([
      { opened: 1, closed: 1 },
      { opened: 1, closed: 1 },
    ]);
    expect(await refusal(shadeOf(first, aRasterizer(2, { pages: 3 })))).to.equal('DOCUMENT_DAMAGED page refused by 1');
  });
});
