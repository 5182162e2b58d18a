import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';
import type { Revision } from '../../revision/revision.ts';
import { findCompleted } from '../documents/find-document.ts';

async function* newestFirst(
  { revisions }: Pick<Ports, 'revisions'>,
  id: string,
  newest: Revision | undefined,
): AsyncGenerator<Revision> {
  // One at a time: a revision has up to 5 MiB, and their number has no limit.
  for (let revision = newest; revision !== undefined; revision = await revisions.find(id, revision.number - 1))
    yield revision;
}

/** All revisions of a document, newest first. Throws `DOCUMENT_NOT_FOUND` or `DOCUMENT_NOT_COMPLETED`. */
export const listRevisions =
  (ports: Pick<Ports, 'documents' | 'revisions'>) =>
  async (actor: Actor, id: string): Promise<AsyncIterable<Revision>> => {
    const document = await findCompleted(ports)(actor, id);
    return newestFirst(ports, id, await ports.revisions.newest(document.id));
  };
