import { errorTable } from '../error-table.ts';

const codes = Object.entries(errorTable)
  .map(([code, { status, when }]) => `| \`${code}\` | ${status} | ${when} |`)
  .join('\n');

/** The rules that hold for every operation, in CommonMark. */
export const CONVENTIONS = `Palimpsest extracts the text of scanned documents. Upload a JPEG, PNG or PDF file; a worker extracts its text in the background. Then read the text, correct it (the original stays available beside every revision), search it, export it, or have it sent to you by e-mail.

## Conventions

- **Requests** have JSON bodies (\`Content-Type: application/json\`, UTF-8), except uploads, which are \`multipart/form-data\`. Keys are snake_case. The service ignores unknown keys and query parameters. If a known key or parameter has an invalid value, the error names it.
- **Responses** are JSON, except files, event streams and 204. Objects have exactly the keys that are shown here. Later versions of the service may add keys.
- **Timestamps** are in UTC with microseconds: \`2026-11-21T09:30:12.345678+00:00\`.
- **Ids** are lowercase, hyphenated UUIDs. An id gets 404 \`DOCUMENT_NOT_FOUND\` unless it belongs to one of your own documents.
- **Lists** take \`limit\` (50 by default, at most 200) and \`offset\` (0 by default). \`paging\` states the values that were applied and the total number of items.
- **Texts** separate pages by a form feed (\`\\f\`).
- **Request ids**: every response has \`X-Request-Id\`, and the log of the service contains it. You may send your own id of up to 128 letters, digits, dots, colons, dashes and underscores.
- **HEAD** works wherever GET works, and **OPTIONS** works everywhere; they are not listed. A method that a path does not support gets 405 with \`Allow\`.

## Authentication

\`POST /v1/auth/login\` returns an access token, which is valid for one hour, and a refresh token. Send the access token as \`Authorization: Bearer <access_token>\` with every operation except the public ones. Exchange the refresh token at \`POST /v1/auth/refresh\` for new tokens. You can read and change only your own documents.

## Safe repeats

Send \`Idempotency-Key\` with an upload or an e-mail: a repeated request within 24 hours gets the first response again and creates no second document or e-mail. Send the \`ETag\` of the document as \`If-Match\` with a revision: the service refuses the revision if another one was saved in the meantime.

## Errors

Every error is \`{"error": {"code", "message"}}\`. Codes are for programs and never change; messages are for people and may change. 429 and 503 have \`Retry-After\` in seconds: after that time the request can succeed. Operations with a rate limit report its state in \`RateLimit-Policy\` and \`RateLimit\`.

<details>
<summary>All codes</summary>

| Code | Status | When |
|---|---|---|
${codes}

</details>

## Versions

The version is part of the path. Changes within \`/v1\` only add operations, keys and parameters. Before an operation is removed, it announces this in the headers \`Deprecation\` and \`Sunset\`.
`;
