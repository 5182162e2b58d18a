import type { Document } from '../../document/document.ts';
import type { Ports } from '../../ports/index.ts';
import type { Cancellation } from '../../units.ts';
import { indexDocument, indexNames, type IndexPorts } from '../search/index-document.ts';

const DOCUMENTS_AT_ONCE = 100;

const removeOrphans = async ({ documents, searchIndex }: IndexPorts, signal: Cancellation): Promise<number> => {
  let removed = 0;
  for (let after: string | undefined; ;) {
    const ids = await searchIndex.scan(after, DOCUMENTS_AT_ONCE);
    for (const id of ids) {
      if (signal.aborted) return removed;
      if (((await documents.find(id))?.status ?? 'deleting') !== 'deleting') continue;
      await searchIndex.remove(id);
      removed++;
    }
    after = ids.at(-1);
    if (after === undefined) return removed;
  }
};

// Version 0 is an entry without a text. A queued or failed document must have that one: its entry has a text if a worker
// died between indexing the text and completing the document.
const isIndexed = (status: Document['status'], version: number | undefined): boolean =>
  version === 0 || (version !== undefined && status !== 'queued' && status !== 'failed');

const indexMissing = async (ports: IndexPorts & Pick<Ports, 'faults'>, signal: Cancellation): Promise<number> => {
  let indexed = 0;
  for (let after: string | undefined; ;) {
    const documents = await ports.documents.scan(after, DOCUMENTS_AT_ONCE);
    for (const document of documents) {
      const { id, status } = document;
      if (signal.aborted) return indexed;
      if (status === 'deleting' || isIndexed(status, await ports.searchIndex.versionOf(id))) continue;
      try {
        if (status === 'queued' || status === 'failed') await indexNames(ports)(document);
        else await indexDocument(ports)(id);
        indexed++;
      } catch (error) {
        ports.faults.report(
          error,
          'correcting the search entry of a document; the index check continues with the others',
        );
      }
    }
    after = documents.at(-1)?.id;
    if (after === undefined) return indexed;
  }
};

/**
 * The index check: compares the search index with the documents and corrects the differences. It indexes documents
 * without an entry, such as documents from before the index existed, and documents whose entry contains a text that the
 * document does not have. It removes entries without a document, which remain if a process dies during a deletion.
 * Resolves with the numbers of corrected and removed entries. It reads all documents and entries, so it should run
 * rarely. It ends early when `signal` aborts.
 */
export const checkSearchIndex =
  (ports: IndexPorts & Pick<Ports, 'faults'>) =>
  async (signal: Cancellation): Promise<{ readonly indexed: number; readonly removed: number }> => {
    const indexed = await indexMissing(ports, signal);
    return { indexed, removed: await removeOrphans(ports, signal) };
  };
