import type { PageRepository } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { DOCUMENTS } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { strangeTexts, unknownIds } from '../kit/samples.ts';
import { aPage } from './samples.ts';

const RUNS = ['run-1', 'run-2', 'run-11', '__proto__'];

const countsByNumber = async (pages: PageRepository, document: string): Promise<readonly string[]> => {
  const lists = await Promise.all(RUNS.map((run) => pages.list(document, run)));
  return lists.flatMap((list) => list.map(({ number }) => `page ${number}`)).toSorted();
};

/**
 * Random operations on pages. The port does not define which of several pages with one number is adopted, so those pages
 * are equal in all runs, and the other runs are removed after an adoption.
 */
export const pageModel: OperationModel<PageRepository> = () => {
  const documentAndRun = (random: Random) => ({ document: random.pick(DOCUMENTS), run: random.pick(RUNS) });
  return {
    put: operation(
      (random) => {
        const where = documentAndRun(random);
        const number = 1 + random.below(6);
        const isAdopted = where.document === 'document-1' || where.document === '$ne';
        const text = isAdopted ? (strangeTexts[number] ?? '') : random.pick(strangeTexts);
        const words = aPage().words.slice(0, isAdopted ? number % 3 : random.below(3));
        return {
          ...where,
          page: aPage({ number, text, words, ...(number % 2 === 0 ? {} : { confidence: number / 10 }) }),
        };
      },
      (pages, { document, run, page }) => pages.put(document, run, page),
      6,
    ),
    adopt: operation(
      (random) => ({ document: random.pick(['document-1', '$ne']), run: random.pick(RUNS) }),
      async (pages, { document, run }) => {
        const adopted = await pages.adopt(document, run);
        const everywhere = await countsByNumber(pages, document);
        await pages.removeOthers(document, run);
        return { adopted, everywhere, remaining: await countsByNumber(pages, document) };
      },
      2,
    ),
    list: operation(documentAndRun, (pages, { document, run }) => pages.list(document, run), 4),
    words: operation(
      (random) => ({ ...documentAndRun(random), number: random.pick([-1, 0, 0.5, 1, 2, 3, 4, 5, 6, 7, NaN]) }),
      (pages, { document, run, number }) => pages.words(document, run, number),
      3,
    ),
    'list of an unknown document': operation(
      (random) => random.pick(unknownIds),
      (pages, id) => pages.list(id, 'run-1'),
    ),
    removeOthers: operation(documentAndRun, (pages, { document, run }) => pages.removeOthers(document, run)),
    removeAll: operation(
      (random) => random.pick(DOCUMENTS),
      (pages, document) => pages.removeAll(document),
    ),
  };
};
