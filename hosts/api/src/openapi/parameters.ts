import { z } from 'zod';
import { documentId } from '../schemas/formats.ts';
import { ID } from './document-examples.ts';

/** `{id}` in a path. What is not the id of one of the caller's documents is answered 404, whatever it looks like. */
export const ofDocument = z.object({
  id: documentId.meta({ description: 'The id of the document.', param: { example: ID } }),
});

/** `{id}` and `{number}` in a path. */
export const ofPage = ofDocument.extend({
  number: z
    .int()
    .min(1)
    .meta({ description: 'The number of the page, from 1.', param: { example: 1 } }),
});

const header = (description: string, example: string): z.ZodOptional<z.ZodString> =>
  z.string().optional().meta({ description, param: { example } });

export const idempotencyKey = {
  'Idempotency-Key': header(
    'Makes it safe to send the request again: within 24 hours a repeat with the same key gives the first answer again, and nothing is done twice. 1 to 255 visible ASCII characters, best a new UUID for each request.',
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
  ),
};

export const ifNoneMatch = {
  'If-None-Match': header(
    'The `ETag` of an answer that is kept: if it is still good, the answer is 304 without a body.',
    '"5-2"',
  ),
};

export const ifMatch = {
  'If-Match': header(
    'The `ETag` of the document as it was loaded: if it has changed since, nothing is saved and the answer is 412. Without it, the last write wins.',
    '"5-2"',
  ),
};

export const range = {
  Range: header(
    'The bytes to send, one range (RFC 9110, section 14); the answer is 206. Everything else is answered with the whole file.',
    'bytes=0-1023',
  ),
};

export const ifRange = {
  'If-Range': header(
    'The `ETag` of the file that a part is known of: if it is another one, all of it is sent.',
    '"9f86d081884c7d65"',
  ),
};

export const lastEventId = {
  'Last-Event-ID': header('The id of the last event that was received. Browsers send it when they connect again.', '4'),
};
