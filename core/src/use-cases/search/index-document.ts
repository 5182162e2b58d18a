import type { ProcessingDocument, VisibleDocument } from '../../document/document.ts';
import { isAppError } from '../../errors.ts';
import type { JobPayload } from '../../jobs/job.ts';
import { INDEX_JOB } from '../../jobs/job-kinds.ts';
import type { Ports } from '../../ports/index.ts';
import { currentText } from '../../revision/ocr-view.ts';
import type { SearchEntry } from '../../search/search-entry.ts';
import { plusMs } from '../../units.ts';
import { findOcr } from '../texts/read-ocr.ts';

const INDEX_DELAY_MS = 60_000;

export type IndexPorts = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex'>;

type ChangePorts = IndexPorts & Pick<Ports, 'jobs' | 'clock' | 'faults'>;

/** A search entry with the names of the document and without a text. */
const nameEntryOf = (document: VisibleDocument): SearchEntry => ({
  documentId: document.id,
  ownerId: document.ownerId,
  receivedAt: document.receivedAt,
  version: 0,
  title: document.title,
  filename: document.originalFilename,
  text: '',
});

const entryOf = async (ports: IndexPorts, document: VisibleDocument): Promise<SearchEntry> => {
  const ocr = document.status === 'completed' ? await findOcr(ports)(document) : undefined;
  if (!ocr) return nameEntryOf(document);
  return { ...nameEntryOf(document), version: 1 + (ocr.revision?.number ?? 0), text: currentText(ocr) };
};

/**
 * Updates the search entry of a document from the stored data; removes it if the document was deleted. Safe to repeat.
 * Safe during a concurrent change of the document, because each change indexes the document itself.
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

const checkLater = ({ jobs, clock }: ChangePorts, documentId: string): Promise<void> =>
  jobs.enqueue(INDEX_JOB, { documentId }, plusMs(clock.now(), INDEX_DELAY_MS));

/**
 * Changes the text of a document and its search entry. If the process dies in between, or the index is unavailable, a
 * job that was added before the change indexes the text.
 */
export const changeText =
  (ports: ChangePorts) =>
  async <T>(documentId: string, change: () => Promise<T>): Promise<T> => {
    await checkLater(ports, documentId);
    const result = await change();
    try {
      await indexDocument(ports)(documentId);
    } catch (error) {
      ports.faults.report(error, 'indexing a changed text; its job indexes it');
    }
    return result;
  };

/**
 * Indexes the original text of a document, then completes the document, so that every process finds the text as soon as
 * the status is `completed`. Throws `SERVICE_UNAVAILABLE` if the index is unavailable. After any other error of the
 * index, the document is completed nevertheless, and a job indexes it later.
 */
export const indexAndComplete =
  (ports: ChangePorts) =>
  async <T>(document: ProcessingDocument, text: string, complete: () => Promise<T>): Promise<T> => {
    await checkLater(ports, document.id);
    try {
      await ports.searchIndex.put({ ...nameEntryOf(document), version: 1, text });
    } catch (error) {
      if (isAppError(error, 'SERVICE_UNAVAILABLE')) throw error;
      ports.faults.report(error, 'indexing the text of a document; its job indexes it');
    }
    return complete();
  };

/**
 * Makes a document without a text searchable by its names alone. An earlier run may have indexed a text and then failed
 * to complete the document.
 */
export const indexNames =
  ({ searchIndex }: Pick<Ports, 'searchIndex'>) =>
  async (document: VisibleDocument): Promise<void> => {
    const version = await searchIndex.versionOf(document.id);
    if (version === 0) return;
    if (version !== undefined) await searchIndex.remove(document.id); // a put does not replace a higher version
    await searchIndex.put(nameEntryOf(document));
  };

/** Runs a job of the kind {@link INDEX_JOB}. Does not write an entry that is up to date. */
export const runIndexJob =
  (ports: IndexPorts) =>
  async (payload: JobPayload): Promise<void> => {
    const documentId = payload['documentId'];
    if (typeof documentId !== 'string') return;
    const document = await ports.documents.find(documentId);
    const version = await ports.searchIndex.versionOf(documentId);
    if (document?.status === 'queued' || document?.status === 'failed') {
      await indexNames(ports)(document);
    } else if (document?.status === 'processing') {
      // A worker that has indexed the text may be completing the document.
      if (version === undefined) await indexDocument(ports)(documentId);
    } else {
      const newest = document?.status === 'completed' ? await ports.revisions.newest(documentId) : undefined;
      const wanted = document?.status === 'completed' ? 1 + (newest?.number ?? 0) : undefined;
      if (version !== wanted) await indexDocument(ports)(documentId);
    }
  };
