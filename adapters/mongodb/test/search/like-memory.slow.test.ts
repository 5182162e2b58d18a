import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { countOccurrences, parseSearchQuery, searchTokens, type SearchEntry, type SearchIndex } from '@palimpsest/core';
import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';
import { wordsOf } from '../../src/search/segments.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const WIDE = { limit: 1000, offset: 0 };
/** Segments slightly longer than the longest phrase, so that many entries are in parts. */
const TINY = { wordsLength: 100, termsLength: 250, phraseTokens: 4 };

// Words with common prefixes, and tokens that have an escaped index term.
const word = fc.constantFrom(
  'a',
  'ab',
  'abc',
  'abcd',
  'b',
  'ba',
  'z',
  'zz',
  '0',
  'é',
  'x'.repeat(20),
  `${'x'.repeat(20)}y`,
  'ж',
  'жук',
  '東',
  '京',
  '½',
  'e-f',
);
const words = (maxLength: number) => fc.array(word, { maxLength }).map((each) => each.join(' '));
const entry = fc.record({
  documentId: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
  ownerId: fc.constantFrom('owner-1', 'owner-1', 'owner-2'),
  receivedAt: fc.nat(4).map((seconds) => at(seconds)),
  version: fc.nat(2),
  title: words(4),
  filename: words(3),
  text: fc.oneof(words(6), words(80)),
});
const term = fc
  .tuple(fc.constantFrom('', '', '-'), fc.array(word, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '', '*'))
  .map(([minus, tokens, star]) => `${minus}"${tokens.join(' ')}"${star}`);
const query = fc.array(term, { maxLength: 3 }).map((terms) => terms.join(' '));
const page = fc.record({ limit: fc.integer({ min: 1, max: 4 }), offset: fc.nat(6) });

type Step = { readonly put: SearchEntry } | { readonly remove: string };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: entry.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.constantFrom('1', '2', '3').map((remove) => ({ remove })) },
);

const apply = (index: SearchIndex, each: Step): Promise<void> =>
  'put' in each ? index.put(each.put) : index.remove(each.remove);

/** The sort keys that the port promises, the most important first; the highest value is first. */
const sortKeysOf = (found: SearchEntry, q: string): readonly number[] => {
  const { all } = parseSearchQuery(q);
  const tokensOf = (field: 'title' | 'filename' | 'text'): readonly string[] => searchTokens(found[field]);
  const countIn = (field: 'title' | 'filename'): number =>
    all.filter((each) => countOccurrences(each, tokensOf(field)) > 0).length;
  return [countIn('title'), countIn('filename')];
};

const expectOrder = (items: readonly string[], q: string, stored: ReadonlyMap<string, SearchEntry>): void => {
  const { all } = parseSearchQuery(q);
  for (const [i, id] of items.slice(1).entries()) {
    const [first, second] = [stored.get(items[i] ?? ''), stored.get(id)];
    if (first === undefined || second === undefined) throw new Error('The search found an entry that is not stored');
    const [a, b] = [sortKeysOf(first, q), sortKeysOf(second, q)];
    const difference = a.map((key, j) => key - (b[j] ?? 0)).find((each) => each !== 0) ?? 0;
    expect(difference, `${q}: ${items.join(' ')}`).to.be.at.least(0);
    const [only] = all;
    const haveSameLength = wordsOf(searchTokens(first.text)).length === wordsOf(searchTokens(second.text)).length;
    if (difference > 0 || all.length > 1 || (only !== undefined && (!haveSameLength || only.tokens.length > 1)))
      continue;
    const [more, less] = [first, second].map(({ text }) =>
      only === undefined ? 0 : countOccurrences(only, searchTokens(text)),
    );
    expect(more, `${q}: ${items.join(' ')}`).to.be.at.least(less ?? 0);
    if (more !== less) continue;
    const isNext =
      first.receivedAt > second.receivedAt ||
      (first.receivedAt === second.receivedAt && first.documentId > second.documentId);
    expect(isNext, `${q}: ${items.join(' ')}`).to.equal(true);
  }
};

await describeOnMongo('MongoSearchIndex compared with the in-memory search index', (server) => {
  const database = searchDatabaseForSuite(server);

  for (const [title, options] of [
    ['with short entries', {}],
    ['with many long entries', { limits: TINY }],
  ] as const) {
    it(`returns the same results in the promised order ${title}`, async function () {
      this.timeout(240_000);
      const property = fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.array(fc.tuple(query, page), { minLength: 6, maxLength: 6 }),
        async (steps, searches) => {
          await database().clear();
          const index = new MongoSearchIndex(database().database, options);
          const { searchIndex: expected } = openMemory();
          const stored = new Map<string, SearchEntry>();
          for (const each of steps) {
            await apply(index, each);
            await apply(expected, each);
            if ('remove' in each) stored.delete(each.remove);
            else if ((stored.get(each.put.documentId)?.version ?? 0) <= each.put.version)
              stored.set(each.put.documentId, aSearchEntry(each.put));
          }
          expect(await index.scan(undefined, 100)).to.deep.equal(await expected.scan(undefined, 100));
          for (const [q, part] of searches) {
            const found = await index.search('owner-1', parseSearchQuery(q), WIDE);
            const wanted = await expected.search('owner-1', parseSearchQuery(q), WIDE);
            expect(found.total, q).to.equal(wanted.total);
            expect([...found.items].sort(), q).to.deep.equal([...wanted.items].sort());
            expectOrder(found.items, q, stored);
            const { items, total } = await index.search('owner-1', parseSearchQuery(q), part);
            expect({ items, total }, q).to.deep.equal({
              items: found.items.slice(part.offset, part.offset + part.limit),
              total: wanted.total,
            });
          }
        },
      );
      await fc.assert(property, { numRuns: 60 });
    });
  }
});
