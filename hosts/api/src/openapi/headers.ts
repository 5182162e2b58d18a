import type { oas31 } from 'zod-openapi';

const header = (description: string, example: string, pattern?: string): oas31.HeaderObject => ({
  description,
  schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
  example,
});

/** The headers of answers, by name. */
export const responseHeaders = {
  'X-Request-Id': header(
    'The id of this request, to be named in reports.',
    '2f1c7a3e-5b0d-4a55-9a0e-0f6f4a1f9d11',
    '^[A-Za-z0-9._:-]{1,128}$',
  ),
  'Cache-Control': header('That the answer is not to be kept.', 'no-store', '^no-store$'),
  'Retry-After': header('After how many seconds the same request can succeed.', '15', '^[1-9][0-9]*$'),
  'RateLimit-Policy': header(
    'The limits that apply: `q` requests in `w` seconds each (IETF draft-ietf-httpapi-ratelimit-headers).',
    '"register-client";q=5;w=3600',
  ),
  RateLimit: header(
    'Where the client stands with them: `r` requests are left, all of them again in `t` seconds.',
    '"register-client";r=4;t=3600',
  ),
  'WWW-Authenticate': header(
    'That a bearer token is asked for, and what is wrong with the one that was sent (RFC 6750).',
    'Bearer error="invalid_token"',
    '^Bearer',
  ),
  ETag: header('The version of what is answered.', '"5-2"', '^"[^"]+"$'),
  'Content-Disposition': header(
    'That the file is to be stored, and under which name (RFC 6266; names beyond ASCII in `filename*`, RFC 8187).',
    'attachment; filename="invoice-march.pdf"',
    '^attachment',
  ),
  'Content-Length': header('The number of bytes that follow.', '48213', '^[0-9]+$'),
  'Content-Range': header(
    'Which bytes of how many these are, or how many there are (`bytes */48213`).',
    'bytes 0-1023/48213',
    '^bytes ',
  ),
  'Accept-Ranges': header('That parts of the file can be asked for.', 'bytes', '^bytes$'),
  'Content-Security-Policy': header(
    'What the page may do: nothing beyond this service.',
    "default-src 'none'; script-src 'self'",
  ),
} as const satisfies Readonly<Record<string, oas31.HeaderObject>>;

export type HeaderName = keyof typeof responseHeaders;

/** In place of `Cache-Control: no-store`, where an answer may be kept. */
const kept: oas31.HeaderObject = {
  ...header('By whom and for how long the answer may be kept.', 'private, max-age=3600'),
  required: true,
};

/** The headers as components: those that an answer always has. */
export const headerComponents: Record<string, oas31.HeaderObject> = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, value]) => [name, { ...value, required: true }]),
);

const ON_EVERY_ANSWER = ['X-Request-Id', 'Cache-Control'] as const satisfies readonly HeaderName[];

/** Headers beside those of every answer. */
export interface Headers {
  readonly always?: readonly HeaderName[];
  readonly sometimes?: readonly HeaderName[];
  readonly mayBeKept?: boolean; // by a cache; no other answer may
}

/** The headers of an answer. */
export const headersOf = ({ always = [], sometimes = [], mayBeKept = false }: Headers = {}): oas31.HeadersObject => ({
  ...Object.fromEntries(
    [...ON_EVERY_ANSWER, ...always].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  ...Object.fromEntries(sometimes.map((name) => [name, responseHeaders[name]])),
  ...(mayBeKept && { 'Cache-Control': kept }),
});
