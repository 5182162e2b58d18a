import type { PageRepository, RecognizedPage } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { lookalikes, MANY, strangeTexts, unknownIds } from '../kit/samples.ts';
import { pageFaultCases } from './faults.ts';
import { aPage, someWords } from './samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeFaults } from '../kit/fault-cases.ts';

const MEBIBYTE = 1024 * 1024;

const withoutWords = (page: RecognizedPage): Omit<RecognizedPage, 'words'> => {
  const { words: _, ...rest } = page;
  return rest;
};

/** Fails unless the run has exactly these pages. */
const expectPages = async (
  pages: PageRepository,
  documentId: string,
  run: string,
  expected: readonly RecognizedPage[],
): Promise<void> => {
  expect(await pages.list(documentId, run)).to.deep.equal(expected.map(withoutWords));
  for (const page of expected) expect(await pages.words(documentId, run, page.number)).to.deep.equal(page.words);
};

/** Tests every promise of `PageRepository`. */
export const describePageRepository = (name: string, open: Open<PageRepository>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a PageRepository`, 30_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('lists pages by number with exactly their fields, and returns their words separately', async (pages) => {
      const stored = [
        aPage(),
        aPage({
          number: 2,
          rotation: 270,
          source: 'text_layer',
          engine: 'pdf-text',
          language: 'deu',
          width: 1,
          height: 20_000,
        }),
        aPage({ number: 3, text: '', words: [], confidence: 0 }),
        aPage({
          number: 10,
          confidence: 1 / 3,
          words: [{ text: 'x', confidence: 0.1 + 0.2, bbox: [0, -1, 2.7, 3], line: 0, block: 4 }],
        }),
        // The words are not in the order of block, line or position, and some occur twice.
        aPage({
          number: 11,
          words: [
            ...someWords(),
            ...someWords().toReversed(),
            { text: 'x', confidence: 1, bbox: [0, 0, 1, 1], line: 9, block: 3 },
            ...someWords(),
          ],
        }),
        aPage({ number: 1000 }),
      ];
      for (const i of [3, 0, 5, 4, 2, 1]) await pages.put('document-1', 'run', stored[i] ?? aPage());
      await expectPages(pages, 'document-1', 'run', stored);
    });

    test('returns no pages and no words for any other document, run or number', async (pages) => {
      await pages.put('document-1', 'run', aPage({ number: 2 }));
      for (const number of [0, 1, 3, -1, 20, 2.5])
        expect(await pages.words('document-1', 'run', number)).to.equal(undefined);
      for (const text of [...unknownIds, 'ru', 'run2']) {
        expect(await pages.list('document-1', text)).to.deep.equal([]);
        expect(await pages.list(text, 'run')).to.deep.equal([]);
        expect(await pages.words('document-1', text, 2)).to.equal(undefined);
        expect(await pages.words(text, 'run', 2)).to.equal(undefined);
      }
    });

    test('keeps documents and runs separate', async (pages) => {
      const keys = ['document-1', 'document-2'].flatMap((id) => ['a', 'b'].map((run) => [id, run] as const));
      for (const [id, run] of [...keys, ['document', '-1a'] as const, ['document-1a', ''] as const]) {
        await pages.put(id, run, aPage({ text: `${id} ${run}` }));
      }
      for (const [id, run] of keys) await expectPages(pages, id, run, [aPage({ text: `${id} ${run}` })]);
    });

    test('replaces a page with the same number in the same run, including its words', async (pages) => {
      const words = [...someWords(), ...someWords()];
      await pages.put('document-1', 'run', aPage({ words }));
      await pages.put('document-1', 'other run', aPage());
      const next = aPage({ text: 'new', words: someWords().slice(1), confidence: 0.1, engine: 'tesseract.js' });
      await pages.put('document-1', 'run', next);
      await pages.put('document-1', 'run', next);
      await expectPages(pages, 'document-1', 'run', [next]);
      await expectPages(pages, 'document-1', 'other run', [aPage()]);
      await pages.put('document-1', 'run', aPage({ text: '', words: [] }));
      await expectPages(pages, 'document-1', 'run', [aPage({ text: '', words: [] })]);
    });

    test('does not mix pages that are stored concurrently under one number', async (pages) => {
      const candidates = Array.from({ length: 20 }, (_, i) =>
        aPage({
          text: `candidate ${i}`,
          words: Array.from({ length: i + 1 }, () => ({
            text: `candidate ${i}`,
            confidence: 1,
            bbox: [0, 0, 1, 1],
            line: 0,
            block: 0,
          })),
        }),
      );
      await Promise.all(candidates.map((page) => pages.put('document-1', 'run', page)));
      const [stored] = await pages.list('document-1', 'run');
      const winner = candidates.find(({ text }) => text === stored?.text);
      await expectPages(pages, 'document-1', 'run', [winner ?? aPage()]);
    });

    test('stores any text unchanged under any document id and run', async (pages) => {
      for (const text of strangeTexts) {
        const words = [{ text, confidence: 1, bbox: [0, 0, 1, 1], line: 0, block: 0 }] as const;
        await pages.put(text, text, aPage({ text, words, engine: text, language: text }));
      }
      for (const text of strangeTexts) {
        const words = [{ text, confidence: 1, bbox: [0, 0, 1, 1], line: 0, block: 0 }] as const;
        await expectPages(pages, text, text, [aPage({ text, words, engine: text, language: text })]);
      }
    });

    test('does not confuse documents or runs with similar ids', async (pages) => {
      const keys = lookalikes.flatMap((text) => [[text, 'run'] as const, ['document-1', text] as const]);
      for (const [i, [id, run]] of keys.entries()) await pages.put(id, run, aPage({ text: `page ${i}` }));
      for (const [i, [id, run]] of keys.entries()) await expectPages(pages, id, run, [aPage({ text: `page ${i}` })]);
      for (const [i, text] of lookalikes.entries()) {
        await pages.removeAll(text);
        for (const [j, other] of lookalikes.entries())
          expect(await pages.list(other, 'run')).to.have.length(j > i ? 1 : 0);
      }
    });

    test('stores a page of 5 MiB with 20,000 words', async (pages) => {
      const text = 'ß and more\n'.repeat(5 * MEBIBYTE).slice(0, 5 * MEBIBYTE - 500_000);
      const words = Array.from(
        { length: 20_000 },
        (_, i) =>
          ({ text: `wörd${i}`, confidence: (i % 100) / 100, bbox: [i, 0, i + 1, 1], line: i, block: 0 }) as const,
      );
      await pages.put('document-1', 'run', aPage({ text, words }));
      expect((await pages.list('document-1', 'run')).map((page) => page.text === text)).to.deep.equal([true]);
      const stored = await pages.words('document-1', 'run', 1);
      expect(JSON.stringify(stored) === JSON.stringify(words)).to.equal(true);
    });

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
        await expectPages(pages, id, 'new', [
          aPage({ number: 1, text: 'old' }),
          own,
          aPage({ number: 3, text: 'old' }),
        ]);
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

    test('removes the pages of other runs', async (pages) => {
      for (const run of ['a', 'b', 'c']) await pages.put('document-1', run, aPage({ text: run }));
      await pages.put('document-2', 'a', aPage({ text: 'other' }));
      await pages.removeOthers('document-1', 'b');
      await expectPages(pages, 'document-1', 'b', [aPage({ text: 'b' })]);
      await expectPages(pages, 'document-2', 'a', [aPage({ text: 'other' })]);
      for (const run of ['a', 'c']) {
        expect(await pages.list('document-1', run)).to.deep.equal([]);
        expect(await pages.words('document-1', run, 1)).to.equal(undefined);
      }
      expect(await pages.adopt('document-1', 'd')).to.deep.equal([1]);
    });

    test('removes all pages of one document and of no other; removing them again succeeds', async (pages) => {
      for (const run of ['a', 'b']) await pages.put('document-1', run, aPage());
      await pages.put('document-2', 'a', aPage());
      for (const id of [...unknownIds, 'document-1', 'document-1']) await pages.removeAll(id);
      for (const run of ['a', 'b']) {
        expect(await pages.list('document-1', run)).to.deep.equal([]);
        expect(await pages.words('document-1', run, 1)).to.equal(undefined);
      }
      expect(await pages.adopt('document-1', 'c')).to.deep.equal([]);
      await expectPages(pages, 'document-2', 'a', [aPage()]);
    });

    test('is not affected when the caller modifies given or returned objects', async (pages) => {
      const given = aPage();
      await pages.put('document-1', 'run', given);
      modifyDeeply(given);
      await expectPages(pages, 'document-1', 'run', [aPage()]);
      modifyDeeply(await pages.list('document-1', 'run'));
      modifyDeeply(await pages.words('document-1', 'run', 1));
      await expectPages(pages, 'document-1', 'run', [aPage()]);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        await here.put('document-1', 'old', aPage());
        await expectPages(there, 'document-1', 'old', [aPage()]);
        expect(await there.adopt('document-1', 'new')).to.deep.equal([1]);
        await expectPages(here, 'document-1', 'new', [aPage()]);
        await here.removeOthers('document-1', 'third');
        expect(await there.list('document-1', 'new')).to.deep.equal([]);
        await here.put('document-1', 'old', aPage());
        await there.removeAll('document-1');
        expect(await here.words('document-1', 'old', 1)).to.equal(undefined);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has every page', async () => {
        await opened().subject.put('document-1', 'run', aPage());
        await expectPages(await reopen(), 'document-1', 'run', [aPage()]);
      });
    });

    describeFaults(opened, without, (subject) => subject, pageFaultCases);
  });
