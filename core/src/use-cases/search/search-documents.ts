import type { VisibleDocument } from '../../document/document.ts';
import type { PageRequest } from '../../document/paging.ts';
import type { Actor } from '../../document/visibility.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { parseSearchQuery, searchQueryText, type SearchQuery } from '../../search/query.ts';
import { snippetOf, type Snippet } from '../../search/snippet.ts';
import { findVisible } from '../documents/find-document.ts';
import { currentText, findOcr } from '../texts/read-ocr.ts';

/** A document that was found, and the passage for which. */
export interface SearchHit {
  readonly document: VisibleDocument;
  readonly snippet: Snippet;
}

/** What a search found. The hits come one by one, each read when it is asked for, so that other work goes on in between. */
export interface SearchResult {
  readonly total: number;
  readonly hits: AsyncIterable<SearchHit>;
}

type SearchPorts = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex'>;

// Of all texts that one search looks through for its passages. Beyond that, a hit shows its title.
const MAX_TEXT_LENGTH = 20_000_000;

/** A document that was deleted since it was found is no hit any more. */
const findHit = async (ports: SearchPorts, actor: Actor, id: string): Promise<VisibleDocument | undefined> => {
  try {
    return await findVisible(ports)(actor, id);
  } catch (error) {
    if (isAppError(error, 'DOCUMENT_NOT_FOUND')) return undefined;
    throw error;
  }
};

async function* readHits(
  ports: SearchPorts,
  actor: Actor,
  ids: readonly string[],
  query: SearchQuery,
): AsyncGenerator<SearchHit> {
  let lengthLeft = MAX_TEXT_LENGTH;
  for (const id of ids) {
    const document = await findHit(ports, actor, id);
    if (document === undefined) continue;
    let text = '';
    if (document.status === 'completed' && lengthLeft > 0) {
      const ocr = await findOcr(ports)(document);
      text = ocr === undefined ? '' : currentText(ocr);
      lengthLeft -= text.length;
    }
    yield { document, snippet: snippetOf(query, { title: document.title, filename: document.originalFilename, text }) };
  }
}

/**
 * The actor's documents that match what was asked for (see {@link parseSearchQuery}), the best match first, then the
 * newest. A query without a single word finds nothing. Throws `VALIDATION_ERROR` for an empty or over-long query.
 */
export const searchDocuments =
  (ports: SearchPorts) =>
  async (actor: Actor, q: string, page: PageRequest): Promise<SearchResult> => {
    const query = parseSearchQuery(searchQueryText(q));
    const { items: ids, total } =
      query.all.length + query.none.length === 0
        ? { items: [], total: 0 }
        : await ports.searchIndex.search(actor.accountId, query, page);
    return { total, hits: readHits(ports, actor, ids, query) };
  };
