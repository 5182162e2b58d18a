import type { CompletedDocument } from '../../document/document.ts';
import type { Actor } from '../../document/visibility.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { PageWithoutWords, Word } from '../../recognition/page.ts';
import { findCompleted } from './find-document.ts';

const noSuchPage = (): AppError => new AppError('PAGE_NOT_FOUND', 'The document has no page with this number.');

/** The pages of a document, by number. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const listPages =
  (ports: Pick<Ports, 'documents' | 'pages'>) =>
  async (actor: Actor, id: string): Promise<readonly PageWithoutWords[]> => {
    const document = await findCompleted(ports)(actor, id);
    return ports.pages.list(document.id, document.run);
  };

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
    if (!page) throw noSuchPage();
    return { document, page };
  };

/** The words of one page in reading order. Throws the errors of {@link findPage}. */
export const listWords =
  (ports: Pick<Ports, 'documents' | 'pages'>) =>
  async (actor: Actor, id: string, number: number): Promise<readonly Word[]> => {
    const document = await findCompleted(ports)(actor, id);
    const words = await ports.pages.words(document.id, document.run, number);
    if (!words) throw noSuchPage();
    return words;
  };
