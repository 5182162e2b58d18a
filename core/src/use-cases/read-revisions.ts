import type { Actor } from '../document/visibility.ts';
import { AppError } from '../errors.ts';
import type { Ports } from '../ports/index.ts';
import type { Revision } from '../ports/revision-repository.ts';
import type { TextChange } from '../revision/text-change.ts';
import type { Cancellation } from '../units.ts';
import { findCompleted, readOcr } from './get-document.ts';

async function* newestFirst(
  { revisions }: Pick<Ports, 'revisions'>,
  id: string,
  newest: Revision | undefined,
): AsyncGenerator<Revision> {
  // One at a time: each may be of 5 MiB, and there is no limit to how many there are.
  for (let revision = newest; revision !== undefined; revision = await revisions.find(id, revision.number - 1))
    yield revision;
}

/** Every saved revision of a document, newest first. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const listRevisions =
  (ports: Pick<Ports, 'documents' | 'revisions'>) =>
  async (actor: Actor, id: string): Promise<AsyncIterable<Revision>> => {
    const document = await findCompleted(ports)(actor, id);
    return newestFirst(ports, id, await ports.revisions.newest(document.id));
  };

/**
 * What changed word by word from one revision of a document's text to another; 0 is the original, `to` is the newest if
 * it is not given. Throws `DOCUMENT_NOT_FOUND`, `DOCUMENT_NOT_COMPLETED`, `OCR_RESULT_NOT_AVAILABLE`, `REVISION_NOT_FOUND`, or
 * `RATE_LIMITED` if too much waits to be made of the documents of their owner.
 */
export const diffRevisions =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'wordDiff' | 'viewLimit'>) =>
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
    return ports.viewLimit.run(document.ownerId, compare, signal);
  };
