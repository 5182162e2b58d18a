import type { z } from 'zod';
import type { ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { headersOf, type Headers } from './headers.ts';

/** A JSON answer with an example of it. */
export const json = <T extends z.ZodType>(
  schema: T,
  description: string,
  example: z.input<T>,
  more: Headers = {},
): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf(more),
  content: { 'application/json': { schema, example } },
});

/** A JSON answer with several examples, by name. */
export const jsonOneOf = <T extends z.ZodType>(
  schema: T,
  description: string,
  examples: Readonly<Record<string, { readonly summary: string; readonly value: z.input<T> }>>,
  more: Headers = {},
): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf(more),
  content: { 'application/json': { schema, examples: { ...examples } } },
});

/** An answer without a body. */
export const empty = (description: string, more: Headers = {}): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf(more),
});

/** An answer that is a file of one of these media types. */
export const file = (
  mediaTypes: readonly string[],
  description: string,
  more: Headers = {},
): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf(more),
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** A web page. */
export const page = (description: string, more: Headers = {}): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf({ ...more, always: ['Content-Security-Policy', ...(more.always ?? [])] }),
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** A JSON body with an example of it. */
export const jsonBody = <T extends z.ZodType>(
  schema: T,
  example: z.input<T>,
  required = true,
): ZodOpenApiRequestBodyObject => ({
  required,
  content: { 'application/json': { schema, example } },
});
