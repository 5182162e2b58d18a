import { type DocumentRepository, claim, complete, defaultWorkRules } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at, sampleId } from '../kit/samples.ts';
import { aDocument, aProcessingDocument } from './samples.ts';

const FIRST_PAGE = { limit: 10, offset: 0 };

const kept = aDocument({ id: sampleId(1), title: 'Kept' });
const added = aDocument({ id: sampleId(2), title: 'Added' });
const claimed = claim(kept, sampleId(3), at(1), defaultWorkRules);
const worked = aProcessingDocument({ id: sampleId(4), version: 2 });
const completed = complete(worked, { engine: 'tesseract', language: 'eng', pageCount: 1 }, at(5));

export const documentFaultCases: readonly FaultCase<DocumentRepository>[] = [
  {
    what: 'add',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.add(added),
    first: undefined,
    again: [threw('TypeError')],
    look: async (documents) => [await documents.find(kept.id), await documents.find(added.id)],
    before: [kept, undefined],
    after: [kept, added],
  },
  {
    what: 'replace (claim)',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.replace(claimed),
    first: true,
    again: [false],
    look: (documents) => documents.find(kept.id),
    before: kept,
    after: claimed,
  },
  {
    what: 'replace (complete)',
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
    what: 'find',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.find(kept.id),
    first: kept,
    look: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    before: { items: [kept], total: 1 },
    after: { items: [kept], total: 1 },
  },
  {
    what: 'list',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    first: { items: [kept], total: 1 },
    look: (documents) => documents.find(kept.id),
    before: kept,
    after: kept,
  },
  {
    what: 'nextClaimable',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.nextClaimable(at(1)),
    first: kept,
    look: (documents) => documents.nextClaimable(at(1)),
    before: kept,
    after: kept,
  },
  {
    what: 'remove',
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
    what: 'check',
    call: (documents) => documents.check(),
    first: undefined,
    look: (documents) => documents.find('nobody'),
    before: undefined,
    after: undefined,
  },
];
