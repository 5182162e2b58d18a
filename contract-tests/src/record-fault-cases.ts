import {
  claim,
  complete,
  defaultWorkRules,
  parseSearchQuery,
  type DocumentRepository,
  type PageRepository,
  type RevisionRepository,
  type SearchIndex,
} from '@palimpsest/core';
import { threw, type FaultCase } from './kit/fault-cases.ts';
import { aDocument, aPage, aProcessingDocument, at, sampleId } from './kit/samples.ts';
import { aSearchEntry } from './search-index/samples.ts';

const FIRST_PAGE = { limit: 10, offset: 0 };

const kept = aDocument({ id: sampleId(1), title: 'Kept' });
const added = aDocument({ id: sampleId(2), title: 'Added' });
const claimed = claim(kept, sampleId(3), at(1), defaultWorkRules);
const worked = aProcessingDocument({ id: sampleId(4), version: 2 });
const completed = complete(worked, { engine: 'tesseract', language: 'eng', pageCount: 1 }, at(5));

export const documentFaultCases: readonly FaultCase<DocumentRepository>[] = [
  {
    what: 'storing a document',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.add(added),
    first: undefined,
    again: [threw('TypeError')],
    look: async (documents) => [await documents.find(kept.id), await documents.find(added.id)],
    before: [kept, undefined],
    after: [kept, added],
  },
  {
    what: 'the claim of a document',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.replace(claimed),
    first: true,
    again: [false],
    look: (documents) => documents.find(kept.id),
    before: kept,
    after: claimed,
  },
  {
    what: 'the end of the work on a document',
    prepare: async (documents) => {
      await documents.add(kept);
      await documents.add(worked);
    },
    call: (documents) => documents.replace(completed),
    first: true,
    again: [false],
    look: async (documents) => [await documents.find(kept.id), await documents.find(worked.id)],
    before: [kept, worked],
    after: [kept, completed],
  },
  {
    what: 'finding a document',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.find(kept.id),
    first: kept,
    look: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    before: { items: [kept], total: 1 },
    after: { items: [kept], total: 1 },
  },
  {
    what: 'the list of documents',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    first: { items: [kept], total: 1 },
    look: (documents) => documents.find(kept.id),
    before: kept,
    after: kept,
  },
  {
    what: 'the next document to be worked on',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.nextClaimable(at(1)),
    first: kept,
    look: (documents) => documents.countClaimable(at(1)),
    before: 1,
    after: 1,
  },
  {
    what: 'the removal of a document',
    prepare: async (documents) => {
      await documents.add(kept);
      await documents.add(added);
    },
    call: (documents) => documents.remove(added.id),
    first: undefined,
    look: async (documents) => [await documents.find(kept.id), await documents.find(added.id)],
    before: [kept, added],
    after: [kept, undefined],
  },
  {
    what: 'the question whether the store answers',
    call: (documents) => documents.check(),
    first: undefined,
    look: (documents) => documents.find('nobody'),
    before: undefined,
    after: undefined,
  },
];

const [firstPage, secondPage] = [aPage({ number: 1 }), aPage({ number: 2, text: 'The second page', confidence: 0.5 })];
const { words, ...firstWithoutWords } = firstPage;
const { words: _, ...secondWithoutWords } = secondPage;

export const pageFaultCases: readonly FaultCase<PageRepository>[] = [
  {
    what: 'storing a page',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.put('document-1', 'run-1', secondPage),
    first: undefined,
    look: (pages) => pages.list('document-1', 'run-1'),
    before: [firstWithoutWords],
    after: [firstWithoutWords, secondWithoutWords],
  },
  {
    what: 'the adoption of another run\u2019s pages',
    prepare: async (pages) => {
      await pages.put('document-1', 'run-1', firstPage);
      await pages.put('document-1', 'run-1', secondPage);
    },
    call: (pages) => pages.adopt('document-1', 'run-2'),
    first: [1, 2],
    look: async (pages) => [await pages.list('document-1', 'run-1'), await pages.list('document-1', 'run-2')],
    before: [[firstWithoutWords, secondWithoutWords], []],
    after: [[], [firstWithoutWords, secondWithoutWords]],
  },
  {
    what: 'reading the words of a page',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.words('document-1', 'run-1', 1),
    first: words,
    look: (pages) => pages.list('document-1', 'run-1'),
    before: [firstWithoutWords],
    after: [firstWithoutWords],
  },
];

const revision = (number: number) => ({ number, revisedAt: at(number), text: `text ${number}` });

export const revisionFaultCases: readonly FaultCase<RevisionRepository>[] = [
  {
    what: 'storing a revision after the newest that is known',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }, 1),
    first: revision(2),
    again: [threw('REVISION_CONFLICT')],
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(2), revision(1)],
  },
  {
    what: 'storing a revision after whatever is newest',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.append('document-1', { revisedAt: at(2), text: 'text 2' }),
    first: revision(2),
    again: [{ ...revision(2), number: 3 }],
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(2), revision(1)],
    afterRepeat: [[{ ...revision(2), number: 3 }, revision(2), revision(1)]],
  },
  {
    what: 'reading the newest revision',
    prepare: (revisions) => revisions.append('document-1', { revisedAt: at(1), text: 'text 1' }),
    call: (revisions) => revisions.newest('document-1'),
    first: revision(1),
    look: (revisions) => revisions.list('document-1'),
    before: [revision(1)],
    after: [revision(1)],
  },
];

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
    what: 'storing what can be searched',
    prepare: (index) => index.put(entry),
    call: (index) => index.put(newer),
    first: undefined,
    look: (index) => index.versionOf('document-1'),
    before: 1,
    after: 2,
  },
  {
    what: 'a search',
    prepare: (index) => index.put(entry),
    call: (index) => index.search('owner-1', parseSearchQuery('before'), FIRST_PAGE),
    first: { items: ['document-1'], total: 1 },
    look: idsFound,
    before: [['document-1'], []],
    after: [['document-1'], []],
  },
  {
    what: 'the removal of what can be searched',
    prepare: (index) => index.put(entry),
    call: (index) => index.remove('document-1'),
    first: undefined,
    look: idsFound,
    before: [['document-1'], []],
    after: [[], []],
  },
];
