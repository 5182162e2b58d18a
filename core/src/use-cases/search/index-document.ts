import type { VisibleDocument } from '../../document/document.ts';
import type { Ports } from '../../ports/index.ts';
import type { JobPayload } from '../../ports/job-queue.ts';
import type { SearchEntry } from '../../search/search-entry.ts';
import { plusMs } from '../../units.ts';
import { currentText, findOcr } from '../texts/read-ocr.ts';

/** The kind of the jobs that see to it that a text which was changed is found, whatever happened at the change. */
export const INDEX_JOB = 'index';

const LOOK_AGAIN_MS = 60_000;

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
 * Brings what searches find of a document up to what is stored of it; takes it out of the index if it is deleted. Safe to
 * repeat, and to run beside changes of the document, which bring their own.
 */
export const indexDocument =
  (ports: IndexPorts) =>
  async (documentId: string): Promise<void> => {
    const { documents, searchIndex } = ports;
    const document = await documents.find(documentId);
    if (document !== undefined && document.status !== 'deleting') {
      await searchIndex.put(await entryOf(ports, document));
      // A deletion that came in between has removed the entry before it was put.
      const after = await documents.find(documentId);
      if (after !== undefined && after.status !== 'deleting') return;
    }
    await searchIndex.remove(documentId);
  };

/**
 * Changes the text of a document and what searches find of it. If the process dies in between, or the index cannot be
 * reached, a job that was queued before does the rest.
 */
export const changeText =
  (ports: IndexPorts & Pick<Ports, 'jobs' | 'clock' | 'faults'>) =>
  async <T>(documentId: string, change: () => Promise<T>): Promise<T> => {
    await ports.jobs.enqueue(INDEX_JOB, { documentId }, plusMs(ports.clock.now(), LOOK_AGAIN_MS));
    const result = await change();
    try {
      await indexDocument(ports)(documentId);
    } catch (error) {
      ports.faults.report(error, 'indexing a changed text; its job will do it');
    }
    return result;
  };

/** The version that the entry of a document should have, `undefined` if it should have none. */
const wantedVersion = async ({ documents, revisions }: IndexPorts, documentId: string): Promise<number | undefined> => {
  const document = await documents.find(documentId);
  if (document === undefined || document.status === 'deleting') return undefined;
  return document.status === 'completed' ? 1 + ((await revisions.newest(documentId))?.number ?? 0) : 0;
};

/** Does what a job of the kind {@link INDEX_JOB} asks for: what is right already is left as it is. */
export const runIndexJob =
  (ports: IndexPorts) =>
  async (payload: JobPayload): Promise<void> => {
    const documentId = payload['documentId'];
    if (typeof documentId !== 'string') return;
    if ((await wantedVersion(ports, documentId)) !== (await ports.searchIndex.versionOf(documentId)))
      await indexDocument(ports)(documentId);
  };
