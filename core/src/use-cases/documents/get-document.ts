import type { VisibleDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import type { OcrView } from '../../revision/ocr-view.ts';
import { findOcr } from '../texts/read-ocr.ts';
import { findVisible } from './find-document.ts';

/** A document with its text. */
export interface DocumentView {
  readonly document: VisibleDocument;
  readonly ocr: OcrView | undefined; // `undefined` before the document is completed
  readonly version: string; // differs whenever anything of the view has changed
}

/** The version of a document with this newest revision (0: no revision). */
export const viewVersion = (document: VisibleDocument, newestRevision: number): string =>
  `${document.version}-${newestRevision}`;

/** A document, with its text if it is completed. Throws `DOCUMENT_NOT_FOUND`. */
export const getDocument =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions'>) =>
  async (actor: Actor, id: string): Promise<DocumentView> => {
    const document = await findVisible(ports)(actor, id);
    const ocr = document.status === 'completed' ? await findOcr(ports)(document) : undefined;
    return { document, ocr, version: viewVersion(document, ocr?.revision?.number ?? 0) };
  };
