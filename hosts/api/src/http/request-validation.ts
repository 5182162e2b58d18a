import { AppError } from '@palimpsest/core';
import type { z } from 'zod';

/** Parses a value by its schema. Throws `VALIDATION_ERROR` with the name of the first invalid field. */
export const validated = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new AppError(
    'VALIDATION_ERROR',
    field === ''
      ? 'The body must be a JSON object with the fields of this request.'
      : `${field}: give ${issue?.message}.`,
  );
};
