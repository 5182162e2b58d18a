import type { RevisionRepository } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { DOCUMENTS, aTime } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { strangeTexts, unknownIds } from '../kit/samples.ts';

const anyDocumentId = (random: Random): string => (random.oneIn(6) ? random.pick(unknownIds) : random.pick(DOCUMENTS));

const countFulfilled = async (calls: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;

/** Random operations on revisions. */
export const revisionModel: OperationModel<RevisionRepository> = () => {
  const revision = (random: Random) => ({
    document: random.pick(DOCUMENTS),
    revisedAt: aTime(random),
    text: random.pick(strangeTexts),
  });
  return {
    append: operation(revision, (revisions, { document, ...rest }) => revisions.append(document, rest), 2),
    'append after': operation(
      (random) => ({ ...revision(random), newest: random.below(6) }),
      (revisions, { document, newest, ...rest }) => revisions.append(document, rest, newest),
      4,
    ),
    'append after the newest': operation(
      revision,
      async (revisions, { document, ...rest }) =>
        revisions.append(document, rest, (await revisions.newest(document))?.number ?? 0),
      2,
    ),
    'append by two candidates': operation(revision, async (revisions, { document, ...rest }) => {
      const newest = (await revisions.newest(document))?.number ?? 0;
      return await countFulfilled([revisions.append(document, rest, newest), revisions.append(document, rest, newest)]);
    }),
    newest: operation(anyDocumentId, (revisions, id) => revisions.newest(id), 2),
    find: operation(
      (random) => ({
        id: anyDocumentId(random),
        number: random.pick([-1, 0, 0.5, 1, 2, 3, 4, 5, 2 ** 32 + 1, 2 ** 63, NaN, Infinity]),
      }),
      (revisions, { id, number }) => revisions.find(id, number),
      2,
    ),
    list: operation(anyDocumentId, (revisions, id) => revisions.list(id), 2),
    removeAll: operation(
      (random) => random.pick(DOCUMENTS),
      (revisions, id) => revisions.removeAll(id),
    ),
  };
};
