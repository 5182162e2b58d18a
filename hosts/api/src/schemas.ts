import { AppError, DEFAULT_LIMIT, pageRequest, type PageRequest } from '@palimpsest/core';
import { z } from 'zod';

const wholeNumber = (min: number, allowed: string) =>
  z
    .string({ error: allowed })
    .regex(/^-?\d{1,400}$/, allowed)
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
    .refine((value) => value >= min, allowed);

const pagingQuery = z.object({
  limit: wholeNumber(1, 'a whole number from 1 (more than 200 counts as 200)').optional(),
  offset: wholeNumber(0, 'a whole number from 0').optional(),
});

const credentials = z.object({
  email: z.string('an e-mail address').max(1000, 'an e-mail address'),
  password: z.string('a text of 8 to 256 characters').max(100_000, 'a text of 8 to 256 characters'),
});

const revision = z.object({ revised_text: z.string('a text (it may be empty)') });

const uploadFields = z.object({ title: z.string('one text of at most 300 characters').optional() });

const parse = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new AppError(
    'VALIDATION_ERROR',
    field === '' ? 'The body must be a JSON object with the fields of this request.' : `${field}: give ${issue?.message}.`,
  );
};

/** The page that a query asks for. Throws `VALIDATION_ERROR`, as all of these do, naming the field. */
export const parsePaging = (query: unknown): PageRequest => {
  const { limit = DEFAULT_LIMIT, offset = 0 } = parse(pagingQuery, query);
  return pageRequest(limit, offset);
};

export const parseCredentials = (body: unknown): z.infer<typeof credentials> => parse(credentials, body);

export const parseRevision = (body: unknown): z.infer<typeof revision> => parse(revision, body);

export const parseUploadFields = (body: unknown): { readonly title?: string } => {
  const { title } = parse(uploadFields, body);
  return title === undefined ? {} : { title };
};
