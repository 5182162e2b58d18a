import type { CompletedDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { pageNotFound, type PageWithoutWords } from '../../recognition/page.ts';
import { findCompleted } from './find-document.ts';

/** One page of a document. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED` or `PAGE_NOT_FOUND`. */
export const findPage =
  (ports: Pick<Ports, 'documents' | 'pages'>) =>
  async (
    actor: Actor,
    id: string,
    number: number,
  ): Promise<{ document: CompletedDocument; page: PageWithoutWords }> => {
    const document = await findCompleted(ports)(actor, id);
    const page = (await ports.pages.list(document.id, document.run)).find((each) => each.number === number);
    if (!page) throw pageNotFound();
    return { document, page };
  };
