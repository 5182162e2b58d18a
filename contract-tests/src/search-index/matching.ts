import {
  parseSearchQuery,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
  type SearchTerm,
} from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { at, strangeTexts } from '../kit/samples.ts';
import { notations } from './notations.ts';
import { aSearchEntry, hostileQueries, idsThatMatch } from './samples.ts';

const WIDE = { limit: 200, offset: 0 };

type Fields = Pick<SearchEntry, 'title' | 'filename' | 'text'>;

/** For each field, an entry with `words` only in this field. */
const inEachField = (words: string): readonly (Fields & { readonly field: string })[] => {
  const rest = { title: 'nothing here', filename: 'none.pdf', text: 'nor here' };
  return (['title', 'filename', 'text'] as const).map((field) => ({ ...rest, [field]: words, field }));
};

/** Reproducible numbers from 0 to below 1 (a linear congruential generator). */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Tests which entries match a query. */
export const describeSearchIndexMatching = (opened: () => Opened<SearchIndex>): void =>
  void describe('matching', () => {
    const put = async (...entries: readonly SearchEntry[]): Promise<void> => {
      for (const entry of entries) await opened().subject.put(entry);
    };
    const search = (q: string | SearchQuery) =>
      opened().subject.search('owner-1', typeof q === 'string' ? parseSearchQuery(q) : q, WIDE);

    /** The sorted ids of the matches. Checks that `total` is their number. */
    const found = async (q: string | SearchQuery): Promise<readonly string[]> => {
      const { items, total } = await search(q);
      expect(total).to.equal(items.length);
      return [...items].sort();
    };

    for (const [kind, words, q, near] of [
      ['a word', 'one invoice more', 'invoice', 'invoices'],
      ['a phrase', 'one open invoice more', '"open invoice"', 'open the invoice'],
      ['a prefix', 'one invoiced more', 'invo*', 'reinvoice'],
      ['a phrase that ends in a prefix', 'one open invoiced more', '"open invo"*', 'invo open'],
      ['a word of several tokens', 'by e-mail', 'e-mail', 'email mail e'],
    ] as const) {
      it(`finds ${kind} in each field, and no similar words`, async () => {
        for (const { field, ...fields } of inEachField(words))
          await put(aSearchEntry({ documentId: field, ...fields }));
        for (const { field, ...fields } of inEachField(near))
          await put(aSearchEntry({ documentId: `near ${field}`, ...fields }));
        expect(await found(q)).to.deep.equal(['filename', 'text', 'title']);
        expect(await found(`-${q}`)).to.deep.equal(['near filename', 'near text', 'near title']);
        expect(await found(`here ${q}`)).to.deep.equal(['filename', 'text', 'title']);
        expect(await found(`here -${q}`)).to.deep.equal(['near filename', 'near text', 'near title']);
      });
    }

    it('finds an entry only if every term occurs, in any field', async () => {
      await put(
        aSearchEntry({ documentId: 'all', title: 'red', filename: 'green.pdf', text: 'blue' }),
        aSearchEntry({ documentId: 'two', title: 'red', filename: 'green.pdf', text: 'black' }),
        aSearchEntry({ documentId: 'text', title: '', filename: '', text: 'blue green red' }),
      );
      expect(await found('red green blue')).to.deep.equal(['all', 'text']);
      expect(await found('blue gre* "red"')).to.deep.equal(['all', 'text']);
      expect(await found('red green')).to.deep.equal(['all', 'text', 'two']);
      expect(await found('red white')).to.deep.equal([]);
    });

    it('finds a phrase only within one field', async () => {
      await put(aSearchEntry({ documentId: 'a', title: 'red green', filename: 'blue', text: 'white black' }));
      for (const q of ['"green blue"', '"blue white"', '"red white"', '"green white"', '"black red"', '"green bl"*']) {
        expect(await found(q), q).to.deep.equal([]);
      }
      for (const q of ['"red green"', '"white bla"*', '-"green blue"']) expect(await found(q), q).to.deep.equal(['a']);
    });

    it('finds a phrase whose first words occur more than once', async () => {
      await put(
        aSearchEntry({
          documentId: 'a',
          title: '',
          filename: '',
          text: 'new new york new to new york city a b a b a c',
        }),
      );
      for (const q of ['"new york"', '"new new york"', '"new york city"', '"a b a c"', '"a b a b a c"'])
        expect(await found(q), q).to.deep.equal(['a']);
      for (const q of ['"new city"', '"york new york"', '"a c a"', '"b b"'])
        expect(await found(q), q).to.deep.equal([]);
    });

    it('matches only the last word of a prefix phrase as a prefix, and whole words too', async () => {
      await put(aSearchEntry({ documentId: 'a', title: '', filename: '', text: 'invoice from acme' }));
      for (const q of ['invoice*', 'i*', '"invoice fro"*', '"from acme"*'])
        expect(await found(q), q).to.deep.equal(['a']);
      for (const q of ['nvoice*', 'invoices*', '"invo from"*', '"inv fr"*', '"invoice from"* -acme'])
        expect(await found(q), q).to.deep.equal([]);
    });

    it('excludes entries with an excluded term in any field', async () => {
      for (const { field, ...fields } of inEachField('red green'))
        await put(aSearchEntry({ documentId: field, ...fields }));
      await put(aSearchEntry({ documentId: 'other', title: 'here', filename: 'none', text: 'blue red' }));
      expect(await found('here -green')).to.deep.equal(['other']);
      expect(await found('-"red green"')).to.deep.equal(['other']);
      expect(await found('-gre* -blue')).to.deep.equal([]);
      expect(await found('-unknown')).to.have.length(4);
      expect(await found('-unknown -blue')).to.deep.equal(['filename', 'text', 'title']);
      expect(await found('red -red')).to.deep.equal([]);
    });

    it('finds all entries of the owner for a query without terms', async () => {
      await put(
        aSearchEntry({ documentId: 'a' }),
        aSearchEntry({ documentId: 'b', title: '', filename: '', text: '' }),
      );
      for (const q of ['', '!?', { all: [], none: [] }]) expect(await found(q)).to.deep.equal(['a', 'b']);
      expect(await found('-letter')).to.deep.equal(['b']);
    });

    for (const [text, wanted, unwanted] of notations) {
      it(`finds “${text}” by queries in another notation, and not by other words`, async () => {
        for (const { field, ...fields } of inEachField(text)) await put(aSearchEntry({ documentId: field, ...fields }));
        for (const q of wanted) expect(await found(q), q).to.deep.equal(['filename', 'text', 'title']);
        for (const q of unwanted) expect(await found(q), q).to.deep.equal([]);
        expect(await found(unwanted.map((q) => `-"${q}"`).join(' '))).to.deep.equal(['filename', 'text', 'title']);
      });
    }

    it('accepts every text', async () => {
      const texts = [...strangeTexts, 'a\0b', '\ud800 lone', 'x\udfff'];
      const entries = texts.flatMap((text, i) =>
        inEachField(text).map(({ field, ...fields }) => aSearchEntry({ documentId: `${i} ${field}`, ...fields })),
      );
      await put(...entries);
      for (const text of texts) {
        const query = parseSearchQuery(`"${text.replaceAll('"', ' ')}"`);
        expect(await found(query), text).to.deep.equal(idsThatMatch(entries, 'owner-1', query));
      }
    });

    it('accepts 32 terms, and phrases of 32 words', async () => {
      const words = Array.from({ length: 64 }, (_, i) => `word${i}`);
      await put(
        aSearchEntry({ documentId: 'all', title: '', text: words.join(' ') }),
        aSearchEntry({ documentId: 'half', title: '', text: words.slice(0, 32).join(' ') }),
      );
      const terms = (from: number, to: number, isPrefix = false): readonly SearchTerm[] =>
        words.slice(from, to).map((word) => ({ tokens: [word], isPrefix }));
      const phrase = (from: number, to: number, isPrefix = false): readonly SearchTerm[] => [
        { tokens: words.slice(from, to), isPrefix },
      ];
      expect(await found({ all: terms(0, 32), none: [] })).to.deep.equal(['all', 'half']);
      expect(await found({ all: terms(16, 48), none: [] })).to.deep.equal(['all']);
      expect(await found({ all: terms(0, 32, true), none: [] })).to.deep.equal(['all', 'half']);
      expect(await found({ all: [], none: terms(32, 64) })).to.deep.equal(['half']);
      expect(await found({ all: terms(0, 16), none: terms(40, 56, true) })).to.deep.equal(['half']);
      expect(await found({ all: phrase(0, 32), none: [] })).to.deep.equal(['all', 'half']);
      expect(await found({ all: phrase(16, 48, true), none: [] })).to.deep.equal(['all']);
      expect(
        await found({ all: [{ tokens: words.slice(0, 32).toReversed(), isPrefix: true }], none: [] }),
      ).to.deep.equal([]);
    });

    it('treats every typed character as a word, one of the four operators, or a separator', async () => {
      const texts = [
        'hello world',
        'world hello',
        'help',
        'owner owner-2 title rank',
        'near and or not',
        'select 1 from rowid',
        'x h l y 0 1e3',
        'null',
      ];
      const entries = texts.map((text, i) => aSearchEntry({ documentId: `${i}`, title: text, text: '' }));
      const secrets = texts.map((text, i) =>
        aSearchEntry({ documentId: `secret ${i}`, ownerId: 'owner-2', title: text, text: 'secret hello' }),
      );
      await put(...entries, ...secrets);
      for (const q of hostileQueries) {
        const query = parseSearchQuery(q);
        expect(await found(query), q).to.deep.equal(idsThatMatch(entries, 'owner-1', query));
      }
      expect(await found('')).to.have.length(texts.length);
    });

    for (const seed of [1, 2, 3]) {
      it(`finds the same entries as the core's matches() after random writes and removals (seed ${seed})`, async () => {
        const next = numbersFrom(seed);
        const below = (count: number): number => Math.floor(next() * count);
        const vocabulary = ['a', 'ab', 'abc', 'b', 'bc', 'c', '東', '京', 'é', 'E', '1', '12'];
        const words = (most: number): string =>
          Array.from({ length: below(most + 1) }, () => vocabulary[below(vocabulary.length)]).join(' ');
        const quoted = (): string =>
          `${next() < 0.3 ? '-' : ''}"${vocabulary[below(vocabulary.length)]} ${words(2)}"${next() < 0.3 ? '*' : ''}`;
        const stored = new Map<string, SearchEntry>();
        for (let step = 0; step < 120; step++) {
          const documentId = `document-${below(25)}`;
          if (next() < 0.15) {
            await opened().subject.remove(documentId);
            stored.delete(documentId);
          } else {
            const [title, filename, text] = [words(3), words(2), words(12)];
            const entry = aSearchEntry({
              documentId,
              ownerId: `owner-${1 + below(2)}`,
              receivedAt: at(below(9)),
              version: below(3),
              title,
              filename,
              text,
            });
            await put(entry);
            if ((stored.get(documentId)?.version ?? 0) <= entry.version) stored.set(documentId, entry);
          }
          const query = parseSearchQuery(Array.from({ length: below(4) }, quoted).join(' '));
          expect(await found(query), `step ${step}: ${JSON.stringify(query)}`).to.deep.equal(
            idsThatMatch(stored.values(), 'owner-1', query),
          );
        }
      });
    }
  });
