import type { PageRepository } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { aPage } from './samples.ts';

const [firstPage, secondPage] = [aPage({ number: 1 }), aPage({ number: 2, text: 'The second page', confidence: 0.5 })];
const { words, ...firstWithoutWords } = firstPage;
const { words: _, ...secondWithoutWords } = secondPage;

export const pageFaultCases: readonly FaultCase<PageRepository>[] = [
  {
    what: 'put',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.put('document-1', 'run-1', secondPage),
    first: undefined,
    look: (pages) => pages.list('document-1', 'run-1'),
    before: [firstWithoutWords],
    after: [firstWithoutWords, secondWithoutWords],
  },
  {
    what: 'adopt',
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
    what: 'words',
    prepare: (pages) => pages.put('document-1', 'run-1', firstPage),
    call: (pages) => pages.words('document-1', 'run-1', 1),
    first: words,
    look: (pages) => pages.list('document-1', 'run-1'),
    before: [firstWithoutWords],
    after: [firstWithoutWords],
  },
];
