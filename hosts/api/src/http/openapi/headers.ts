import type { oas31 } from 'zod-openapi';

const header = (description: string, example: string, pattern?: string): oas31.HeaderObject => ({
  description,
  schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
  example,
});

const descriptions = {
  'X-Request-Id': header(
    'The id of this request. Name it when you report a problem.',
    '2f1c7a3e-5b0d-4a55-9a0e-0f6f4a1f9d11',
    '^[A-Za-z0-9._:-]{1,128}$',
  ),
  'Cache-Control': header('Caches must not store the response.', 'no-store', '^no-store$'),
  'Retry-After': header('The number of seconds after which the same request can succeed.', '15', '^[1-9][0-9]*$'),
  'RateLimit-Policy': header(
    'The limits that apply: `q` requests in `w` seconds each (IETF draft-ietf-httpapi-ratelimit-headers).',
    '"register-client";q=5;w=3600',
  ),
  RateLimit: header(
    'The state of these limits: `r` requests remain, and the limit resets in `t` seconds.',
    '"register-client";r=4;t=3600',
  ),
  'WWW-Authenticate': header(
    'The request needs a valid bearer token. `error` states what is wrong with the token of the request (RFC 6750).',
    'Bearer error="invalid_token"',
    '^Bearer',
  ),
  ETag: header('The version of the content.', '"5-2"', '^"[^"]+"$'),
  'Content-Disposition': header(
    'The name under which to save the file (RFC 6266; names outside ASCII in `filename*`, RFC 8187).',
    'attachment; filename="invoice-march.pdf"',
    '^attachment',
  ),
  'Content-Length': header('The size of the body in bytes.', '48213', '^[0-9]+$'),
  'Content-Range': header(
    'The position of these bytes in the file and its size. Only the size in an error (`bytes */48213`).',
    'bytes 0-1023/48213',
    '^bytes ',
  ),
  'Accept-Ranges': header('The service can send ranges of the file.', 'bytes', '^bytes$'),
  'Content-Security-Policy': header(
    'The page loads content from this service only.',
    "default-src 'none'; script-src 'self'",
  ),
} as const satisfies Readonly<Record<string, oas31.HeaderObject>>;

export type HeaderName = keyof typeof descriptions;

/** The description of `Cache-Control` for responses that caches may store. */
const cacheable: oas31.HeaderObject = {
  ...header('Which caches may store the response, and for how long.', 'private, max-age=3600'),
  required: true,
};

/** The headers as components of the OpenAPI document. Responses that always have a header refer to its component. */
export const headerComponents: Record<string, oas31.HeaderObject> = Object.fromEntries(
  Object.entries(descriptions).map(([name, value]) => [name, { ...value, required: true }]),
);

const ON_EVERY_RESPONSE = ['X-Request-Id', 'Cache-Control'] as const satisfies readonly HeaderName[];

/** The headers of a response besides those that every response has. */
export interface ResponseHeaders {
  readonly always?: readonly HeaderName[];
  readonly sometimes?: readonly HeaderName[];
  readonly isCacheable?: boolean; // default: false
}

/** Describes the headers of a response for the OpenAPI document. */
export const headersOf = ({
  always = [],
  sometimes = [],
  isCacheable = false,
}: ResponseHeaders = {}): oas31.HeadersObject => ({
  ...Object.fromEntries(
    [...ON_EVERY_RESPONSE, ...always].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  ...Object.fromEntries(sometimes.map((name) => [name, descriptions[name]])),
  ...(isCacheable && { 'Cache-Control': cacheable }),
});
