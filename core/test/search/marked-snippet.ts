import { parseSearchQuery, snippetInSteps, type SearchQuery, type Snippet } from '@palimpsest/core';

/** The snippet, made without a pause. */
export const snippetOf = (
  query: SearchQuery,
  fields: { readonly title: string; readonly filename: string; readonly text: string },
): Snippet => {
  const steps = snippetInSteps(query, fields);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
};

export const snippet = (q: string, text: string, title = 'Title', filename = 'file.pdf'): Snippet =>
  snippetOf(parseSearchQuery(q), { title, filename, text });

/** The snippet with its highlights in brackets. */
export const marked = (q: string, text: string, title?: string, filename?: string): string => {
  const { text: line, highlights } = snippet(q, text, title, filename);
  return highlights.reduceRight(
    (rest, [start, end]) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
    line,
  );
};

/** A text of some length without any word of the tests. */
export const filler = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(20);
