import { newController } from '../../concurrency/abort-controller.ts';
import type { VisibleDocument } from '../../document/document.ts';
import type { PageRequest } from '../../document/paging.ts';
import type { Actor } from '../../document/visibility.ts';
import { isAppError } from '../../errors.ts';
import type { Ports } from '../../ports/index.ts';
import { currentText } from '../../revision/ocr-view.ts';
import { matches } from '../../search/match.ts';
import { clientSearchQuery, type SearchQuery } from '../../search/query.ts';
import { snippetInSteps, type Snippet } from '../../search/snippet.ts';
import { searchTokens } from '../../search/tokens.ts';
import { findVisible } from '../documents/find-document.ts';
import { findOcr } from '../texts/read-ocr.ts';

/** A document that matches, with a passage that shows why. */
export interface SearchHit {
  readonly document: VisibleDocument;
  readonly snippet: Snippet;
}

/**
 * The result of a search. Each hit is read when the iterator reaches it, so that other work of the process continues in
 * between.
 */
export interface SearchResult {
  readonly total: number; // by the index: it may include documents that are just being completed or deleted
  readonly hits: AsyncIterable<SearchHit>;
}

type SearchPorts = Pick<Ports, 'documents' | 'pages' | 'revisions' | 'searchIndex' | 'timer'>;

// The maximal length of all texts that one search reads for snippets. Further hits show their titles.
const MAX_TEXT_LENGTH = 20_000_000;
const STEPS_AT_ONCE = 8; // of a snippet: about 8 ms

/** The document of a hit; `undefined` if it was deleted since the search. */
const findHit = async (ports: SearchPorts, actor: Actor, id: string): Promise<VisibleDocument | undefined> => {
  try {
    return await findVisible(ports)(actor, id);
  } catch (error) {
    if (isAppError(error, 'DOCUMENT_NOT_FOUND')) return undefined;
    throw error;
  }
};

// The index gets a text shortly before its document is completed. Until then, only the names of the document match.
const matchesNow = (query: SearchQuery, { status, title, originalFilename }: VisibleDocument): boolean =>
  status === 'completed' || matches(query, [searchTokens(title), searchTokens(originalFilename)]);

/** The snippet of a document. Other work of the process continues while a long text is read. */
const readSnippet = async (
  { timer }: Pick<Ports, 'timer'>,
  query: SearchQuery,
  { title, originalFilename: filename }: VisibleDocument,
  text: string,
): Promise<Snippet> => {
  const { signal } = newController();
  const steps = snippetInSteps(query, { title, filename, text });
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (count % STEPS_AT_ONCE === 0) await timer.wait(0, signal);
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
    if (document === undefined || !matchesNow(query, document)) continue;
    let text = '';
    if (document.status === 'completed' && lengthLeft > 0) {
      const ocr = await findOcr(ports)(document);
      text = ocr === undefined ? '' : currentText(ocr);
      lengthLeft -= text.length;
    }
    yield { document, snippet: await readSnippet(ports, query, document, text) };
  }
}

/**
 * The actor's documents that match the query (see {@link clientSearchQuery}): best match first, then newest first. A
 * query without words matches nothing. Throws `VALIDATION_ERROR` for an empty or too long query.
 */
export const searchDocuments =
  (ports: SearchPorts) =>
  async (actor: Actor, q: string, page: PageRequest): Promise<SearchResult> => {
    const query = clientSearchQuery(q);
    const { items: ids, total } =
      query.all.length + query.none.length === 0
        ? { items: [], total: 0 }
        : await ports.searchIndex.search(actor.accountId, query, page);
    return { total, hits: readHits(ports, actor, ids, query) };
  };
