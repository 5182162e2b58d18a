import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { indexDocument, type IndexPorts } from '../search/index-document.ts';

const DOCUMENTS_AT_ONCE = 100;

const forgetOrphans = async ({ documents, searchIndex }: IndexPorts, signal: Cancellation): Promise<number> => {
  let forgotten = 0;
  for (let after: string | undefined; ;) {
    const ids = await searchIndex.scan(after, DOCUMENTS_AT_ONCE);
    for (const id of ids) {
      if (signal.aborted) return forgotten;
      if (((await documents.find(id))?.status ?? 'deleting') !== 'deleting') continue;
      await searchIndex.remove(id);
      forgotten++;
    }
    after = ids.at(-1);
    if (after === undefined) return forgotten;
  }
};

const indexMissing = async (ports: IndexPorts & Pick<Ports, 'faults'>, signal: Cancellation): Promise<number> => {
  let indexed = 0;
  for (let after: string | undefined; ;) {
    const documents = await ports.documents.scan(after, DOCUMENTS_AT_ONCE);
    for (const { id, status } of documents) {
      if (signal.aborted) return indexed;
      if (status === 'deleting' || (await ports.searchIndex.versionOf(id)) !== undefined) continue;
      try {
        await indexDocument(ports)(id);
        indexed++;
      } catch (error) {
        ports.faults.report(error, 'indexing a document that no search finds; the others go on');
      }
    }
    after = documents.at(-1)?.id;
    if (after === undefined) return indexed;
  }
};

/**
 * Indexes documents that the index does not know, as those from before there was one, and forgets entries without a
 * document, as they are left where a process died while it put one and the document was deleted. Resolves with how many.
 * Looks at everything: to be run seldom. Ends early when `signal` aborts.
 */
export const sweepIndex =
  (ports: IndexPorts & Pick<Ports, 'faults'>) =>
  async (signal: Cancellation): Promise<{ readonly indexed: number; readonly forgotten: number }> => {
    const indexed = await indexMissing(ports, signal);
    return { indexed, forgotten: await forgetOrphans(ports, signal) };
  };
