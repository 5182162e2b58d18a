import type { VisibleDocument } from '../../document/document.ts';
import type { Page, PageRequest } from '../../document/paging.ts';
import type { Actor } from '../../document/visibility.ts';
import type { Ports } from '../../ports/index.ts';

/** The actor's documents, newest first. */
export const listDocuments =
  ({ documents }: Pick<Ports, 'documents'>) =>
  async (actor: Actor, page: PageRequest): Promise<Page<VisibleDocument>> => {
    const { items, total } = await documents.list(actor.accountId, page);
    return { items: items.filter((document) => document.status !== 'deleting'), total };
  };
