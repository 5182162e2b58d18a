import type { VisibleDocument } from '../../document/document.ts';
import type { Ports } from '../../ports/index.ts';
import type { JobPayload } from '../../ports/job-queue.ts';
import type { SearchEntry } from '../../search/search-entry.ts';
import { plusMs } from '../../units.ts';
import { currentText, findOcr } from '../texts/read-ocr.ts';

/** The kind of the jobs that index a changed text, in case the process died after the change. */
export const INDEX_JOB = 'index';

const INDEX_DELAY_MS = 60_000;

export type IndexPorts = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex'>;

const entryOf = async (ports: IndexPorts, document: VisibleDocument): Promise<SearchEntry> => {
  const { id: documentId, ownerId, receivedAt, title, originalFilename: filename } = document;
  const entry = { documentId, ownerId, receivedAt, title, filename };
  if (document.status !== 'completed') return { ...entry, version: 0, text: '' };
  const ocr = await findOcr(ports)(document);
  if (!ocr) return { ...entry, version: 0, text: '' };
  return { ...entry, version: 1 + (ocr.revision?.number ?? 0), text: currentText(ocr) };
};

/**
 * Updates the search entry of a document from the stored data; removes it if the document was deleted. Safe to repeat,
 * and to run concurrently with changes of the document, which index it themselves.
 */
export const indexDocument =
  (ports: IndexPorts) =>
  async (documentId: string): Promise<void> => {
    const { documents, searchIndex } = ports;
    const document = await documents.find(documentId);
    if (document !== undefined && document.status !== 'deleting') {
      await searchIndex.put(await entryOf(ports, document));
      // A concurrent deletion may have removed the entry before it was stored.
      const after = await documents.find(documentId);
      if (after !== undefined && after.status !== 'deleting') return;
    }
    await searchIndex.remove(documentId);
  };

/**
 * Changes the text of a document and its search entry. If the process dies in between, or the index is unavailable, a
 * job that was added before the change indexes the text.
 */
export const changeText =
  (ports: IndexPorts & Pick<Ports, 'jobs' | 'clock' | 'faults'>) =>
  async <T>(documentId: string, change: () => Promise<T>): Promise<T> => {
    await ports.jobs.enqueue(INDEX_JOB, { documentId }, plusMs(ports.clock.now(), INDEX_DELAY_MS));
    const result = await change();
    try {
      await indexDocument(ports)(documentId);
    } catch (error) {
      ports.faults.report(error, 'indexing a changed text; its job indexes it');
    }
    return result;
  };

/** The version that the search entry of a document should have, `undefined` if it should have none. */
const wantedVersion = async ({ documents, revisions }: IndexPorts, documentId: string): Promise<number | undefined> => {
  const document = await documents.find(documentId);
  if (document === undefined || document.status === 'deleting') return undefined;
  return document.status === 'completed' ? 1 + ((await revisions.newest(documentId))?.number ?? 0) : 0;
};

/** Runs a job of the kind {@link INDEX_JOB}. An entry that is up to date stays as it is. */
export const runIndexJob =
  (ports: IndexPorts) =>
  async (payload: JobPayload): Promise<void> => {
    const documentId = payload['documentId'];
    if (typeof documentId !== 'string') return;
    if ((await wantedVersion(ports, documentId)) !== (await ports.searchIndex.versionOf(documentId)))
      await indexDocument(ports)(documentId);
  };
