import { mediaTypes } from '@palimpsest/core';
import { z } from 'zod';

// What requests and answers share. An `id` makes a schema a component of the OpenAPI document.

export const documentId = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  .meta({
    id: 'Id',
    description: 'A UUID, lowercase and hyphenated. Ids sort by the time of their making (version 7).',
    examples: ['019aa7b4-6d0e-7c3a-9f52-3b1e8d7c4a60'],
  });

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
  .meta({
    id: 'Timestamp',
    description: 'A moment in UTC (ISO 8601), always with six digits of the second and the offset `+00:00`.',
    examples: ['2026-11-21T09:30:12.345678+00:00'],
  });

export const documentStatus = z.enum(['queued', 'processing', 'completed', 'failed']).meta({
  id: 'DocumentStatus',
  description:
    '`queued`: waits to be read; `processing`: its text is being read; `completed`: the text is there; `failed`: `error_message` says why it could not be read.',
  examples: ['completed'],
});

export const mediaType = z.enum(mediaTypes).meta({
  id: 'MediaType',
  description: 'What the file is by its content, whatever its name.',
  examples: ['application/pdf'],
});

/** A count or a place in a list, from 0. */
export const count = z.int().min(0);

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What is written by a schema of an answer. */
export type Answer<Schema extends z.ZodType> = Frozen<z.input<Schema>>;
