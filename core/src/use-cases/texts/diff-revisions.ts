import type { ViewSettings } from '../../document/view-settings.ts';
import type { Actor } from '../../document/visibility.ts';
import { AppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import type { TextChange } from '../../revision/text-change.ts';
import type { Cancellation } from '../../units.ts';
import { findCompleted } from '../documents/find-document.ts';
import { readOcr } from './read-ocr.ts';

/**
 * The word-by-word changes from one revision of a document's text to another. Revision 0 is the recognized text;
 * without `to` it is the newest revision. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED`,
 * `OCR_RESULT_NOT_AVAILABLE`, `REVISION_NOT_FOUND`, or `RATE_LIMITED` if too many requests of the owner wait.
 */
export const diffRevisions =
  (
    ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'wordDiff'>,
    { viewSlots }: Pick<ViewSettings, 'viewSlots'>,
  ) =>
  async (
    actor: Actor,
    id: string,
    from: number,
    to: number | undefined,
    signal: Cancellation,
  ): Promise<readonly TextChange[]> => {
    const document = await findCompleted(ports)(actor, id);
    const compare = async (): Promise<readonly TextChange[]> => {
      const { text: original, revision: newest } = await readOcr(ports)(document);
      const textOf = async (number: number): Promise<string> => {
        if (number === 0) return original;
        const revision = number === newest?.number ? newest : await ports.revisions.find(id, number);
        if (!revision) throw new AppError('REVISION_NOT_FOUND', `The document has no revision ${number}.`);
        return revision.text;
      };
      return ports.wordDiff.compare(await textOf(from), await textOf(to ?? newest?.number ?? 0), signal);
    };
    return viewSlots.run(document.ownerId, compare, signal);
  };
