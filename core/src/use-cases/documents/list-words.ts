import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import { pageNotFound, type Word } from '../../recognition/page.ts';
import { findCompleted } from './find-document.ts';

/**
 * The words of one page in reading order. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED` or `PAGE_NOT_FOUND`.
 */
export const listWords =
  (ports: Pick<Ports, 'documents' | 'pages'>) =>
  async (actor: Actor, id: string, number: number): Promise<readonly Word[]> => {
    const document = await findCompleted(ports)(actor, id);
    const words = await ports.pages.words(document.id, document.run, number);
    if (!words) throw pageNotFound();
    return words;
  };
