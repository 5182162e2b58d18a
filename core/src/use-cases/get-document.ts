import type { CompletedDocument, VisibleDocument } from '../document/document.ts';
import { joinPages } from '../document/text.ts';
import { isDocumentId, visibleTo, type Actor } from '../document/visibility.ts';
import type { Ports } from '../ports/index.ts';
import type { Revision } from '../ports/revision-repository.ts';

/** A reading with the newest correction beside it. */
export interface OcrView {
  readonly engine: string;
  readonly language: string;
  readonly text: string; // the original, pages joined by form feeds
  readonly revision: Revision | undefined;
}

/** The document with this id as far as the actor may see it; otherwise throws `DOCUMENT_NOT_FOUND`. */
export const findVisible =
  ({ documents }: Pick<Ports, 'documents'>) =>
  async (actor: Actor, id: string): Promise<VisibleDocument> =>
    visibleTo(actor, isDocumentId(id) ? await documents.find(id) : undefined);

/** The original text of a completed document and its newest revision. */
export const readOcr =
  ({ pages, revisions }: Pick<Ports, 'pages' | 'revisions'>) =>
  async (document: CompletedDocument): Promise<OcrView> => {
    const [read, revision] = await Promise.all([pages.list(document.id, document.run), revisions.newest(document.id)]);
    const { engine, language } = document.ocr;
    return { engine, language, text: joinPages(read.map((page) => page.text)), revision };
  };

/** A document with its text, once it is completed. Throws `DOCUMENT_NOT_FOUND`. */
export const getDocument =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions'>) =>
  async (actor: Actor, id: string): Promise<{ document: VisibleDocument; ocr: OcrView | undefined }> => {
    const document = await findVisible(ports)(actor, id);
    return { document, ocr: document.status === 'completed' ? await readOcr(ports)(document) : undefined };
  };
