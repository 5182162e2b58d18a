import { aCompletedDocument, at } from '@palimpsest/contract-tests';
import type { Bench } from './bench.ts';
import { fillStore, OWNER, type FilledStore } from './many-owners.ts';
import { measureRatio } from './ratio.ts';

const MANY = 100_000;
const FEW = 1_000;

const filled = (count: number): Promise<FilledStore> =>
  fillStore(count, (sqlite, ownerId, number) =>
    sqlite.documents.add(aCompletedDocument({ ownerId, receivedAt: at(number) })),
  );

const page =
  ({ sqlite }: FilledStore, offset: number, total: number) =>
  async (): Promise<void> => {
    const found = await sqlite.documents.list(OWNER, { limit: 20, offset });
    if (found.items.length !== 20 || found.total !== total)
      throw new Error('The list differs from the stored documents');
  };

/** The cost of a page of the list does not depend on the number of documents. */
export const listDocuments: Bench = {
  name: 'list-documents',
  measure: async () => {
    const [many, few] = [await filled(MANY), await filled(FEW)];
    try {
      return [
        {
          what: `the first page of ${MANY} documents against one of ${FEW}`,
          limit: 2,
          ...(await measureRatio(page(many, 0, MANY), page(few, 0, FEW))),
        },
        {
          what: `the last page of ${MANY} documents against the last of ${FEW}`,
          ...(await measureRatio(page(many, MANY - 20, MANY), page(few, FEW - 20, FEW))),
        },
      ];
    } finally {
      await many.close();
      await few.close();
    }
  },
};
