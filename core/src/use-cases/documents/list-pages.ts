import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import type { PageWithoutWords } from '../../recognition/page.ts';
import { findCompleted } from './find-document.ts';

/** The pages of a document, by number. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const listPages =
  (ports: Pick<Ports, 'documents' | 'pages'>) =>
  async (actor: Actor, id: string): Promise<readonly PageWithoutWords[]> => {
    const document = await findCompleted(ports)(actor, id);
    return ports.pages.list(document.id, document.run);
  };
