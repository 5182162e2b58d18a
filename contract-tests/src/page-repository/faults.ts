import type { PageRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { aPage } from './samples.ts';

const [firstPage, secondPage] = [aPage({ number: 1 }), aPage({ number: 2, text: 'The second page', confidence: 0.5 })];
const { words, ...firstWithoutWords } = firstPage;
const { words: _, ...secondWithoutWords } = secondPage;

export const pageFaultCases: readonly FaultCase<PageRepository>[] = [
  {
    title: 'put',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.put('document-1', 'run-1', secondPage),
    firstOutcome: undefined,
    readState: (pages) => pages.list('document-1', 'run-1'),
    stateBefore: [firstWithoutWords],
    stateAfter: [firstWithoutWords, secondWithoutWords],
  },
  {
    title: 'adopt',
    prepare: async (pages) => {
      await pages.put('document-1', 'run-1', firstPage);
      await pages.put('document-1', 'run-1', secondPage);
    },
    call: (pages) => pages.adopt('document-1', 'run-2'),
    firstOutcome: [1, 2],
    readState: async (pages) => [await pages.list('document-1', 'run-1'), await pages.list('document-1', 'run-2')],
    stateBefore: [[firstWithoutWords, secondWithoutWords], []],
    stateAfter: [[], [firstWithoutWords, secondWithoutWords]],
  },
  {
    title: 'words',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.words('document-1', 'run-1', 1),
    firstOutcome: words,
    readState: (pages) => pages.list('document-1', 'run-1'),
    stateBefore: [firstWithoutWords],
    stateAfter: [firstWithoutWords],
  },
];
