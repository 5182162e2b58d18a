import { setImmediate as nextTurn } from 'node:timers/promises';
import { pageRequest } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { count } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { aSummary, onePage } from './document-examples.ts';
import { documentSummary, paging, pagingQuery, presentSummary } from './document-schemas.ts';

const query = z.object({
  q: z.string('one text to search for, of at most 500 characters').meta({
    description:
      'The search query: at most 500 characters and 32 words. Each word of a phrase counts. In scripts without spaces, each character counts as a word. Every word must occur in the title, the current text or the file name. Case and diacritics do not matter. `"a phrase"` must occur exactly, `prefix*` finds words that start with the prefix, and `-without` excludes documents with this word.',
    override: { minLength: 1, maxLength: 500 },
    param: { example: 'invoice "net amount" -draft' },
  }),
  ...pagingQuery.shape,
});

const highlight = z.array(count).length(2).meta({
  description: 'The start and the end (exclusive) of one match, in UTF-16 code units.',
});

const snippet = z.strictObject({
  text: z.string().meta({
    description: 'The part of the document around the best match.',
    examples: ['Net amount: 120.00'],
  }),
  highlights: z.array(highlight).meta({
    description: 'The positions of the matches in `text`.',
    examples: [
      [
        [0, 3],
        [4, 10],
      ],
    ],
  }),
});

const searchResult = z.strictObject({ ...documentSummary.shape, snippet }).meta({ id: 'SearchResult' });
const searchResults = z.strictObject({ items: z.array(searchResult), paging }).meta({ id: 'SearchResults' });

const anExample: z.infer<typeof searchResult> = {
  ...aSummary,
  snippet: {
    text: 'Invoice No. 4711 Net amount: 120.00',
    highlights: [
      [0, 7],
      [17, 27],
    ],
  },
};

export const searchDocuments = defineEndpoint({
  method: 'get',
  path: '/v1/documents/search',
  tag: 'Documents',
  operationId: 'searchDocuments',
  summary: 'Search documents',
  description:
    'Searches titles, current texts (the revision if there is one) and file names; best match first, then newest. Unbalanced quotes and single operators are allowed: the service treats them as text.',
  request: { query },
  responses: { 200: json(searchResults, 'One page of the results.', { items: [anExample], paging: onePage }) },
  refusals: ['VALIDATION_ERROR'],
  handler: async ({ query: { q, limit, offset }, actor, useCases }) => {
    const page = pageRequest(limit, offset);
    const { total, hits } = await useCases.searchDocuments(actor, q, page);
    const items = [];
    for await (const { document, snippet: found } of hits) {
      items.push({ ...presentSummary(document), snippet: { text: found.text, highlights: found.highlights } });
      await nextTurn(); // other requests run between two snippets
    }
    return { items, paging: { ...page, total } };
  },
});
