import type { PageRepository, RecognizedPage } from '@palimpsest/core';
import { expect } from 'chai';

const withoutWords = (page: RecognizedPage): Omit<RecognizedPage, 'words'> => {
  const { words: _, ...rest } = page;
  return rest;
};

/** Fails unless the run has exactly these pages. */
export const expectPages = async (
  pages: PageRepository,
  documentId: string,
  run: string,
  expected: readonly RecognizedPage[],
): Promise<void> => {
  expect(await pages.list(documentId, run)).to.deep.equal(expected.map(withoutWords));
  for (const page of expected) expect(await pages.words(documentId, run, page.number)).to.deep.equal(page.words);
};
