import { type SearchIndex, parseSearchQuery } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { aSearchEntry } from './samples.ts';

const FIRST_PAGE = { limit: 10, offset: 0 };

const entry = aSearchEntry({ documentId: 'document-1', text: 'before' });
const newer = aSearchEntry({ documentId: 'document-1', text: 'after', version: 2 });
const idsFound = async (index: SearchIndex): Promise<readonly (readonly string[])[]> => {
  const found = await Promise.all(
    ['before', 'after'].map((word) => index.search('owner-1', parseSearchQuery(word), FIRST_PAGE)),
  );
  return found.map(({ items }) => items);
};

export const searchFaultCases: readonly FaultCase<SearchIndex>[] = [
  {
    title: 'put',
    prepare: (index) => index.put(entry),
    call: (index) => index.put(newer),
    firstOutcome: undefined,
    readState: (index) => index.versionOf('document-1'),
    stateBefore: 1,
    stateAfter: 2,
  },
  {
    title: 'search',
    prepare: (index) => index.put(entry),
    call: (index) => index.search('owner-1', parseSearchQuery('before'), FIRST_PAGE),
    firstOutcome: { items: ['document-1'], total: 1 },
    readState: idsFound,
    stateBefore: [['document-1'], []],
    stateAfter: [['document-1'], []],
  },
  {
    title: 'remove',
    prepare: (index) => index.put(entry),
    call: (index) => index.remove('document-1'),
    firstOutcome: undefined,
    readState: idsFound,
    stateBefore: [['document-1'], []],
    stateAfter: [[], []],
  },
];
