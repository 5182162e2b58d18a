import type { VisibleDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { findVisible } from './find-document.ts';

/** The progress of the work on a document. */
export interface DocumentProgress {
  readonly id: string;
  readonly status: VisibleDocument['status'];
  readonly version: number; // higher with each change of the document
  readonly pagesDone: number;
  readonly pagesTotal: number | undefined; // known once the file has been opened
  readonly isOver: boolean; // completed or failed
}

const pagesOf = (document: VisibleDocument): Pick<DocumentProgress, 'pagesDone' | 'pagesTotal'> => {
  switch (document.status) {
    case 'processing':
      return { pagesDone: document.pagesDone, pagesTotal: document.pagesTotal };
    case 'completed':
      return { pagesDone: document.ocr.pageCount, pagesTotal: document.ocr.pageCount };
    case 'queued':
    case 'failed':
      return { pagesDone: 0, pagesTotal: undefined };
  }
};

/** The current progress of the work on a document. Throws `DOCUMENT_NOT_FOUND`. */
export const documentProgress =
  (ports: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<DocumentProgress> => {
    const document = await findVisible(ports)(actor, id);
    const { status, version } = document;
    return { id, status, version, ...pagesOf(document), isOver: status === 'completed' || status === 'failed' };
  };
