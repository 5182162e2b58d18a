import type { VisibleDocument } from '../document/document.ts';
import type { JobPayload } from '../ports/job-queue.ts';
import type { Ports } from '../ports/index.ts';
import type { SearchEntry } from '../ports/search-index.ts';
import { plusMs, type Cancellation } from '../units.ts';
import { currentText, findOcr } from './get-document.ts';

/** The kind of the jobs that see to it that a text which was changed is found, whatever happened at the change. */
export const INDEX_JOB = 'index';

const LOOK_AGAIN_MS = 60_000;

type IndexPorts = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex'>;

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
