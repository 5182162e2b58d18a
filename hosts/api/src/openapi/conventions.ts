import { errorCatalogue } from '../schemas/error-codes.ts';

const codes = Object.entries(errorCatalogue)
  .map(([code, { status, when }]) => `| \`${code}\` | ${status} | ${when} |`)
  .join('\n');

/** What holds for every operation, in CommonMark. */
export const CONVENTIONS = `Palimpsest reads the text of scanned documents. Upload a JPEG, PNG or PDF; its text is read in the background. Then read it, correct it (the original stays readable under every revision), search it, export it, or have it sent to you.

## Conventions

- **Requests** have JSON bodies (\`Content-Type: application/json\`, UTF-8), but for uploads, which are \`multipart/form-data\`. Keys are snake_case. Unknown keys and query parameters are ignored; a known one with a bad value is refused by its name.
- **Answers** are JSON, but for files, event streams and 204. Objects have exactly the keys that are shown here; a later description within \`/v1\` may show more.
- **Timestamps** are in UTC with six digits of the second: \`2026-11-21T09:30:12.345678+00:00\`.
- **Ids** are lowercase, hyphenated UUIDs. What is not the id of one of your own documents is answered 404 \`DOCUMENT_NOT_FOUND\`, whatever it is.
- **Lists** take \`limit\` (50, at most 200) and \`offset\` (0); \`paging\` says what was applied and how many items there are.
- **Texts** part pages by a form feed (\`\\f\`).
- **Request ids**: every answer has \`X-Request-Id\`, under which the log of the service knows the request. Send your own, of up to 128 letters, digits, dots, colons, dashes and underscores, and it is kept.
- **HEAD** works wherever GET does, and **OPTIONS** everywhere; they are not listed. A method that a path does not know is 405 with \`Allow\`.

## Authentication

\`POST /v1/auth/login\` gives an access token, good for an hour, and a refresh token. Send the first as \`Authorization: Bearer <access_token>\` with every operation that is not marked as open; trade the second at \`POST /v1/auth/refresh\` for new ones. You see and change your own documents only.

## Safe repeats

Send \`Idempotency-Key\` with an upload or an e-mail, and a repeat within 24 hours gives the first answer again instead of a second document or mail. Send the \`ETag\` of the document as \`If-Match\` with a revision, and it is refused if somebody saved another one meanwhile.

## Errors

Every error is \`{"error": {"code", "message"}}\`. Codes are for programs and never change; messages are for people and may. 429 and 503 have \`Retry-After\` in seconds: who waits that long is served. Limited operations tell where you stand in \`RateLimit-Policy\` and \`RateLimit\`.

<details>
<summary>All codes</summary>

| Code | Status | When |
|---|---|---|
${codes}

</details>

## Versions

The version is part of the path. Within \`/v1\` things are added, never changed or taken away; an operation that will end says so in the headers \`Deprecation\` and \`Sunset\`.
`;
