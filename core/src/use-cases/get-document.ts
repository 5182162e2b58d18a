import type { CompletedDocument, VisibleDocument } from '../document/document.ts';
import { completedDocument } from '../document/revision.ts';
import { joinPages } from '../document/text.ts';
import { isDocumentId, visibleTo, type Actor } from '../document/visibility.ts';
import { AppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import type { Revision } from '../ports/revision-repository.ts';

/** A reading with the newest correction beside it. */
export interface OcrView {
  readonly engine: string;
  readonly language: string;
  readonly text: string; // the original, pages joined by form feeds
  readonly revision: Revision | undefined;
}

/** The text that stands for a document: the newest correction, else the original. */
export const currentText = ({ text, revision }: OcrView): string => revision?.text ?? text;

/** The document with this id as far as the actor may see it; otherwise throws `DOCUMENT_NOT_FOUND`. */
export const findVisible =
  ({ documents }: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<VisibleDocument> =>
    visibleTo(actor, isDocumentId(id) ? await documents.find(id) : undefined);

/** The document with this id once its text was read; throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const findCompleted =
  (ports: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<CompletedDocument> =>
    completedDocument(await findVisible(ports)(actor, id));

/** The original text of a completed document and its newest revision; `undefined` if the text is not stored any more. */
export const findOcr =
  ({ pages, revisions }: Pick<Ports, 'pages' | 'revisions'>) =>
  async (document: CompletedDocument): Promise<OcrView | undefined> => {
    const [read, revision] = await Promise.all([pages.list(document.id, document.run), revisions.newest(document.id)]);
    if (read.length === 0) return undefined;
    const { engine, language } = document.ocr;
    return { engine, language, text: joinPages(read.map((page) => page.text)), revision };
  };

/**
 * The same for what cannot do without the text. Throws `OCR_RESULT_NOT_AVAILABLE`, or `DOCUMENT_NOT_FOUND` if the
 * document was deleted meanwhile.
 */
export const readOcr =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions'>) =>
  async (document: CompletedDocument): Promise<OcrView> => {
    const ocr = await findOcr(ports)(document);
    if (ocr) return ocr;
    visibleTo({ accountId: document.ownerId }, await ports.documents.find(document.id));
    throw new AppError(
      'OCR_RESULT_NOT_AVAILABLE',
      'The text of this document is not stored any more. Upload the document again.',
    );
  };

/** A document as it is shown, and a version of what is shown: another one whenever anything of it has changed. */
export interface DocumentView {
  readonly document: VisibleDocument;
  readonly ocr: OcrView | undefined; // once it is completed
  readonly version: string;
}

/** The version of a document and its newest revision (0: none). */
export const viewVersion = (document: VisibleDocument, newestRevision: number): string =>
  `${document.version}-${newestRevision}`;

/** A document with its text, once it is completed. Throws `DOCUMENT_NOT_FOUND`. */
export const getDocument =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions'>) =>
  async (actor: Actor, id: string): Promise<DocumentView> => {
    const document = await findVisible(ports)(actor, id);
    const ocr = document.status === 'completed' ? await findOcr(ports)(document) : undefined;
    return { document, ocr, version: viewVersion(document, ocr?.revision?.number ?? 0) };
  };
