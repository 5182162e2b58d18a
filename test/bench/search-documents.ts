import { at, sampleId } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import type { Bench } from './bench.ts';
import { fillStore, OWNER, type FilledStore } from './many-owners.ts';
import { measureRatio } from './ratio.ts';

const MANY = 100_000;
const FEW = 1_000;
const MATCHING = 20;
const WORDS_OF_TEXT = 60;

/** Reproducible texts: some words occur in many texts, most in few. */
const textOf = (number: number): string =>
  Array.from({ length: WORDS_OF_TEXT }, (_, i) => {
    const random = (Math.imul(number * WORDS_OF_TEXT + i + 1, 2_654_435_761) >>> 8) / 2 ** 24;
    return `word${Math.floor(20_000 ** random)}`;
  }).join(' ');

const filled = (count: number): Promise<FilledStore> =>
  fillStore(count, (sqlite, ownerId, number) =>
    sqlite.searchIndex.put({
      documentId: sampleId(),
      ownerId,
      receivedAt: at(number),
      version: 1,
      title: `Letter ${number}`,
      filename: `scan-${number}.pdf`,
      // Every owner has the same number of matching documents.
      text: `${textOf(number)} ${number % (count / MATCHING) === 0 ? 'lighthouse' : 'harbour'} everywhere`,
    }),
  );

const search = ({ sqlite }: FilledStore, q: string, total: number) => {
  const query = parseSearchQuery(q);
  return async (): Promise<void> => {
    const found = await sqlite.searchIndex.search(OWNER, query, { limit: 20, offset: 0 });
    if (found.items.length !== 20 || found.total !== total)
      throw new Error(`${found.total} documents match instead of ${total}`);
  };
};

/** The cost of a search with few results does not depend on the number of documents. */
export const searchDocuments: Bench = {
  name: 'search-documents',
  measure: async () => {
    const [many, few] = [await filled(MANY), await filled(FEW)];
    try {
      return [
        {
          what: `a search that finds ${MATCHING} of ${MANY} documents against one that finds ${MATCHING} of ${FEW}`,
          limit: 2,
          ...(await measureRatio(search(many, 'lighthouse', MATCHING), search(few, 'lighthouse', MATCHING))),
        },
        {
          what: `a search that finds all ${MANY} documents against one that finds all ${FEW}`,
          ...(await measureRatio(search(many, 'everywhere', MANY), search(few, 'everywhere', FEW))),
        },
      ];
    } finally {
      await many.close();
      await few.close();
    }
  },
};
