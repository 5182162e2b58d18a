import { isAppError, type SearchEntry, type SearchIndex, type SearchQuery } from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at } from '../kit/samples.ts';
import { aSearchEntry } from './samples.ts';

const PHRASE_TOKENS = 500;
const PHRASES_AT_ONCE = 20;
/** A text that an index may store in several parts. */
const LONG_TEXT = 'filling '.repeat(80 * 1024);
const SHORT_TEXT = 'filling';

const wordQuery = (...words: readonly string[]): SearchQuery => ({
  all: words.map((word) => ({ tokens: [word], isPrefix: false })),
  none: [],
});

/** Tests that an index that stores a long text in parts returns the same results. */
export const describeSearchIndexParts = (opened: () => Opened<SearchIndex>): void =>
  void describe('with texts that may be stored in parts', () => {
    it('finds a phrase at every position of a long text', async () => {
      const { subject: index } = opened();
      const words = Array.from({ length: 120_000 }, (_, i) => String(100_000 + i));
      await index.put(aSearchEntry({ documentId: 'document-1', text: words.join(' ') }));
      const phrases: string[][] = [];
      // Every pair of adjacent words occurs in one of the phrases.
      for (let start = 0; start < words.length - 1; start += PHRASE_TOKENS - 1)
        phrases.push(words.slice(start, start + PHRASE_TOKENS));
      for (let i = 0; i < phrases.length; i += PHRASES_AT_ONCE) {
        const all = phrases.slice(i, i + PHRASES_AT_ONCE).map((tokens) => ({ tokens, isPrefix: false }));
        try {
          const { items } = await index.search('owner-1', { all, none: [] }, { limit: 10, offset: 0 });
          expect(items, `${PHRASES_AT_ONCE} phrases from word ${i * (PHRASE_TOKENS - 1)} on`).to.deep.equal([
            'document-1',
          ]);
        } catch (error) {
          if (!isAppError(error, 'VALIDATION_ERROR')) throw error;
        }
      }
    });

    it('ranks long and short texts together and returns every page of the matches', async () => {
      const { subject: index } = opened();
      const entries = Array.from({ length: 9 }, (_, i) =>
        aSearchEntry({
          documentId: `document-${i}`,
          receivedAt: at((i * 4) % 9),
          title: i % 2 === 0 ? 'red' : 'blue',
          filename: 'red.pdf',
          text: i % 3 === 0 ? LONG_TEXT : SHORT_TEXT,
        }),
      );
      for (const entry of entries) await index.put(entry);
      const isRed = ({ title }: SearchEntry): number => Number(title === 'red');
      const newest = entries.toSorted((a, b) => b.receivedAt - a.receivedAt);
      const best = newest.toSorted((a, b) => isRed(b) - isRed(a));
      for (const [query, inOrder] of [
        [{ all: [], none: wordQuery('absent').all }, newest],
        [wordQuery('red'), best],
      ] as const) {
        const ids = inOrder.map(({ documentId }) => documentId);
        for (const [limit, offset] of [
          [9, 0],
          [1, 3],
          [2, 1],
          [2, 4],
          [3, 7],
          [1, 8],
          [1, 9],
        ] as const) {
          const page = await index.search('owner-1', query, { limit, offset });
          expect(page, `${limit} from ${offset}`).to.deep.equal({ items: ids.slice(offset, offset + limit), total: 9 });
        }
      }
    });

    it('finds an entry in every search while it is replaced', async () => {
      const { subject: index } = opened();
      const entryOf = (version: number, text: string) =>
        aSearchEntry({ documentId: 'document-1', version, text: `always ${text}` });
      await index.put(entryOf(0, SHORT_TEXT));
      const state = { isOver: false };
      const putAll = async (): Promise<void> => {
        for (let version = 1; version <= 6; version++)
          await index.put(entryOf(version, version % 3 === 0 ? SHORT_TEXT : LONG_TEXT));
      };
      const put = putAll().finally(() => {
        state.isOver = true;
      });
      try {
        do {
          for (const query of [wordQuery('always'), wordQuery()]) {
            const page = await index.search('owner-1', query, { limit: 10, offset: 0 });
            expect(page).to.deep.equal({ items: ['document-1'], total: 1 });
          }
          await new Promise((resolve) => setTimeout(resolve, 0));
        } while (!state.isOver);
      } finally {
        await put;
      }
    });
  });
