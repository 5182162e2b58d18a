import { mediaTypes } from '@palimpsest/core';
import { z } from 'zod';

// Schemas that several endpoints share. A schema with an `id` becomes a component of the OpenAPI document.

export const EXAMPLE_ID = '019aa7b4-6d0e-7c3a-9f52-3b1e8d7c4a60';

export const documentId = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  .meta({
    id: 'Id',
    description: 'A UUID of version 7, lowercase and hyphenated. Ids sort by their time of creation.',
    examples: [EXAMPLE_ID],
  });

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
  .meta({
    id: 'Timestamp',
    description: 'A time in UTC (ISO 8601), always with microseconds and the offset `+00:00`.',
    examples: ['2026-11-21T09:30:12.345678+00:00'],
  });

export const documentStatus = z.enum(['queued', 'processing', 'completed', 'failed']).meta({
  id: 'DocumentStatus',
  description:
    '`queued`: waits for processing; `processing`: the OCR engine extracts the text; `completed`: the text is available; `failed`: `error_message` states why the text could not be extracted.',
  examples: ['completed'],
});

export const mediaType = z.enum(mediaTypes).meta({
  id: 'MediaType',
  description: 'The type of the file by its content, not by its name.',
  examples: ['application/pdf'],
});

/** A count or an index, from 0. */
export const count = z.int().min(0);

export const message = z
  .strictObject({
    message: z.string().meta({ description: 'A sentence for people.', examples: ['Document sent to your email.'] }),
  })
  .meta({ id: 'Message' });

/** A whole number in a query, as text. `allowed` completes the error message "<parameter>: give …". */
export const wholeNumber = (min: number, allowed: string) =>
  z
    .string({ error: allowed })
    .regex(/^-?\d{1,400}$/, allowed)
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
    .refine((value) => value >= min, allowed);

/** Describes a parameter as an integer in the OpenAPI document. In the URL it is text. */
export const asInteger =
  (limits: Readonly<Record<string, number>>) =>
  ({ jsonSchema }: { jsonSchema: object }): void => {
    Reflect.deleteProperty(jsonSchema, 'pattern');
    Object.assign(jsonSchema, { type: 'integer', ...limits });
  };

/** An optional request header. */
export const requestHeader = (description: string, example: string) =>
  z.string().optional().meta({ description, param: { example } });

export const ifNoneMatch = {
  'If-None-Match': requestHeader(
    'The `ETag` of a response that the client has. If it is still the current version, the response is 304 without a body.',
    '"5-2"',
  ),
};

export const idempotencyKey = {
  'Idempotency-Key': requestHeader(
    'Makes it safe to repeat the request: within 24 hours, a repeated request with the same key gets the first response again, and the service does nothing twice. 1 to 255 visible ASCII characters; a new UUID for each request is best.',
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
  ),
};

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The type of a response body with this schema. */
export type Answer<Schema extends z.ZodType> = Frozen<z.input<Schema>>;
