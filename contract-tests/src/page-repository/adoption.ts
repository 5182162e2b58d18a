import type { PageRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { MANY } from '../kit/samples.ts';
import { expectPages } from './expect-pages.ts';
import { aPage } from './samples.ts';

/** Tests the adoption of pages of other runs. */
export const describeAdoption = (test: SubjectTest<PageRepository>): void => {
  test('adopts pages of other runs unless the run has a page with that number', async (pages) => {
    await pages.put('document-1', 'old', aPage({ number: 1, text: 'old 1' }));
    await pages.put('document-1', 'old', aPage({ number: 2, text: 'old 2', words: [] }));
    await pages.put('document-1', 'new', aPage({ number: 2, text: 'new 2' }));
    await pages.put('document-1', 'third', aPage({ number: 12, text: 'third 12' }));
    await pages.put('document-2', 'old', aPage({ number: 7 }));
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([1, 2, 12]);
    await expectPages(pages, 'document-1', 'new', [
      aPage({ number: 1, text: 'old 1' }),
      aPage({ number: 2, text: 'new 2' }),
      aPage({ number: 12, text: 'third 12' }),
    ]);
    await expectPages(pages, 'document-2', 'old', [aPage({ number: 7 })]);
    expect(await pages.list('document-2', 'new')).to.deep.equal([]);
  });

  test('lists and adopts every one of many pages', async (pages) => {
    const stored = Array.from({ length: MANY }, (_, i) => aPage({ number: i + 1, text: `page ${i + 1}` }));
    await Promise.all(stored.map((page) => pages.put('document-1', 'old', page)));
    await expectPages(pages, 'document-1', 'old', stored);
    expect(await pages.adopt('document-1', 'new')).to.deep.equal(stored.map(({ number }) => number));
    await expectPages(pages, 'document-1', 'new', stored);
    await pages.removeAll('document-1');
    expect(await pages.adopt('document-1', 'last')).to.deep.equal([]);
  });

  test('does not replace a page that the run stores during adoption', async (pages) => {
    for (let round = 0; round < 10; round++) {
      const [id, own] = [`document-${round}`, aPage({ number: 2, text: 'own' })];
      for (const number of [1, 2, 3]) await pages.put(id, 'old', aPage({ number, text: 'old' }));
      await Promise.all([pages.adopt(id, 'new'), pages.put(id, 'new', own)]);
      await expectPages(pages, id, 'new', [aPage({ number: 1, text: 'old' }), own, aPage({ number: 3, text: 'old' })]);
    }
  });

  test('removes adopted pages from the other run', async (pages) => {
    await pages.put('document-1', 'old', aPage());
    await pages.adopt('document-1', 'new');
    expect(await pages.list('document-1', 'old')).to.deep.equal([]);
    expect(await pages.words('document-1', 'old', 1)).to.equal(undefined);
  });

  test('returns the numbers of all pages of the run, also if there is nothing to adopt', async (pages) => {
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([]);
    await pages.put('document-1', 'new', aPage({ number: 3 }));
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([3]);
    await pages.put('document-1', 'old', aPage({ number: 1 }));
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([1, 3]);
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([1, 3]);
  });

  test('keeps one complete page if several runs have the same number', async (pages) => {
    const candidates = Array.from({ length: 5 }, (_, i) =>
      aPage({
        text: `run ${i}`,
        words: [{ text: `run ${i}`, confidence: 1, bbox: [0, 0, 1, 1], line: 0, block: 0 }],
      }),
    );
    for (const page of candidates) await pages.put('document-1', page.text, page);
    expect(await pages.adopt('document-1', 'new')).to.deep.equal([1]);
    const [kept] = await pages.list('document-1', 'new');
    await expectPages(
      pages,
      'document-1',
      'new',
      candidates.filter(({ text }) => text === kept?.text),
    );
  });

  test('does not adopt pages that another run stores after the adoption', async (pages) => {
    await pages.put('document-1', 'old', aPage({ number: 1, text: 'adopted' }));
    await pages.adopt('document-1', 'new');
    await pages.put('document-1', 'old', aPage({ number: 1, text: 'late' }));
    await pages.put('document-1', 'old', aPage({ number: 2, text: 'late' }));
    await expectPages(pages, 'document-1', 'new', [aPage({ number: 1, text: 'adopted' })]);
    await expectPages(pages, 'document-1', 'old', [
      aPage({ number: 1, text: 'late' }),
      aPage({ number: 2, text: 'late' }),
    ]);
  });

  test('loses no page when several runs adopt and store concurrently', async (pages) => {
    for (let number = 1; number <= 10; number++) await pages.put('document-1', 'old', aPage({ number }));
    const [a, b] = await Promise.all([
      pages.adopt('document-1', 'a'),
      pages.adopt('document-1', 'b'),
      pages.put('document-1', 'c', aPage({ number: 11 })),
    ]);
    for (const numbers of [a, b]) expect(numbers).to.deep.equal(numbers.toSorted((x, y) => x - y));
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    expect(await pages.adopt('document-1', 'last')).to.deep.equal(all);
    expect((await pages.list('document-1', 'last')).map(({ number }) => number)).to.deep.equal(all);
  });
};
