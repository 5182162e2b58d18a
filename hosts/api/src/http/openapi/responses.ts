import type { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { Answer } from './formats.ts';
import type { ResponseHeaders } from './headers.ts';

/** A successful response. `Body` is the type of its JSON, or `never` if the response is not JSON. */
export interface ResponseSpec<Body> {
  readonly description: string;
  readonly headers: ResponseHeaders;
  readonly content?: NonNullable<ZodOpenApiResponseObject['content']>;
  readonly body?: Body; // for the types only, never set
}

/** A JSON response with an example. */
export const json = <T extends z.ZodType>(
  schema: T,
  description: string,
  example: z.input<T>,
  headers: ResponseHeaders = {},
): ResponseSpec<Answer<T>> => ({ description, headers, content: { 'application/json': { schema, example } } });

/** A JSON response with several examples, by name. */
export const jsonWithExamples = <T extends z.ZodType>(
  schema: T,
  description: string,
  examples: Readonly<Record<string, { readonly summary: string; readonly value: z.input<T> }>>,
  headers: ResponseHeaders = {},
): ResponseSpec<Answer<T>> => ({
  description,
  headers,
  content: { 'application/json': { schema, examples: { ...examples } } },
});

/** A response without a body. */
export const empty = (description: string, headers: ResponseHeaders = {}): ResponseSpec<never> => ({
  description,
  headers,
});

/** The response to a client that has the current version already. */
export const notModified = (headers: ResponseHeaders = {}): ResponseSpec<never> =>
  empty('The client has the current version already.', { always: ['ETag'], ...headers });

/** A file of one of these media types. */
export const file = (
  mediaTypes: readonly string[],
  description: string,
  headers: ResponseHeaders = {},
): ResponseSpec<never> => ({
  description,
  headers,
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** A web page. */
export const page = (description: string, { always = [], ...headers }: ResponseHeaders = {}): ResponseSpec<never> => ({
  description,
  headers: { ...headers, always: ['Content-Security-Policy', ...always] },
  content: { 'text/html': { schema: { type: 'string' } } },
});
