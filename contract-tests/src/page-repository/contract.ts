import type { PageRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { lookalikes, strangeTexts, unknownIds } from '../kit/samples.ts';
import { describeAdoption } from './adoption.ts';
import { expectPages } from './expect-pages.ts';
import { pageFaultCases } from './faults.ts';
import { aPage, someWords } from './samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeFaults } from '../kit/fault-cases.ts';

const MEBIBYTE = 1024 * 1024;

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

    describeAdoption(test);

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
