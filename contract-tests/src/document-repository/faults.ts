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
    title: 'add',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.add(added),
    firstOutcome: undefined,
    repeatOutcomes: [threw('TypeError')],
    readState: async (documents) => [await documents.find(kept.id), await documents.find(added.id)],
    stateBefore: [kept, undefined],
    stateAfter: [kept, added],
  },
  {
    title: 'replace (claim)',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.replace(claimed),
    firstOutcome: true,
    repeatOutcomes: [false],
    readState: (documents) => documents.find(kept.id),
    stateBefore: kept,
    stateAfter: claimed,
  },
  {
    title: 'replace (complete)',
    prepare: async (documents) => {
      await documents.add(kept);
      await documents.add(worked);
    },
    call: (documents) => documents.replace(completed),
    firstOutcome: true,
    repeatOutcomes: [false],
    readState: async (documents) => [await documents.find(kept.id), await documents.find(worked.id)],
    stateBefore: [kept, worked],
    stateAfter: [kept, completed],
  },
  {
    title: 'find',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.find(kept.id),
    firstOutcome: kept,
    readState: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    stateBefore: { items: [kept], total: 1 },
    stateAfter: { items: [kept], total: 1 },
  },
  {
    title: 'list',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.list(kept.ownerId, FIRST_PAGE),
    firstOutcome: { items: [kept], total: 1 },
    readState: (documents) => documents.find(kept.id),
    stateBefore: kept,
    stateAfter: kept,
  },
  {
    title: 'nextClaimable',
    prepare: (documents) => documents.add(kept),
    call: (documents) => documents.nextClaimable(at(1)),
    firstOutcome: kept,
    readState: (documents) => documents.nextClaimable(at(1)),
    stateBefore: kept,
    stateAfter: kept,
  },
  {
    title: 'remove',
    prepare: async (documents) => {
      await documents.add(kept);
      await documents.add(added);
    },
    call: (documents) => documents.remove(added.id),
    firstOutcome: undefined,
    readState: async (documents) => [await documents.find(kept.id), await documents.find(added.id)],
    stateBefore: [kept, added],
    stateAfter: [kept, undefined],
  },
  {
    title: 'check',
    call: (documents) => documents.check(),
    firstOutcome: undefined,
    readState: (documents) => documents.find('nobody'),
    stateBefore: undefined,
    stateAfter: undefined,
  },
];
