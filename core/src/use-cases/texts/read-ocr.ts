import type { CompletedDocument } from '../../document/document.ts';
import { joinPages } from '../../document/text.ts';
import { visibleTo } from '../../document/visibility.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { OcrView } from '../../revision/ocr-view.ts';

/** The text of a completed document; `undefined` if it is not stored any more. */
export const findOcr =
  ({ pages, revisions }: Pick<Ports, 'pages' | 'revisions'>) =>
  async (document: CompletedDocument): Promise<OcrView | undefined> => {
    const [read, revision] = await Promise.all([pages.list(document.id, document.run), revisions.newest(document.id)]);
    if (read.length === 0) return undefined;
    const { engine, language } = document.ocr;
    return { engine, language, text: joinPages(read.map((page) => page.text)), revision };
  };

/**
 * The text of a completed document. Throws `OCR_RESULT_NOT_AVAILABLE` if it is not stored any more, or
 * `DOCUMENT_NOT_FOUND` if the document was deleted meanwhile.
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
