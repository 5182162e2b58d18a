import { AppError, DEFAULT_LIMIT, exportFormats, pageRequest, type ExportFormat, type PageRequest } from '@palimpsest/core';
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

const searchQuery = z.object({ ...pagingQuery.shape, q: z.string('one text to search for, of at most 500 characters') });

const exportQuery = z.object({
  format: z.enum(exportFormats, { error: 'docx or xlsx' }),
  formatted: z.enum(['true', 'false'], { error: 'true or false' }).optional(),
});

const revisionNumber = wholeNumber(0, 'the number of a revision, or 0 for the original text');
const diffQuery = z.object({ from: revisionNumber.optional(), to: revisionNumber.optional() });

const pageNumber = /^[1-9]\d{0,8}$/;

const emailField = z.string('an e-mail address').max(1000, 'an e-mail address');
const passwordField = z.string('a text of 8 to 256 characters').max(100_000, 'a text of 8 to 256 characters');
const tokenField = z.string('the token as it was given').min(1, 'the token as it was given').max(1000, 'the token as it was given');

const credentials = z.object({ email: emailField, password: passwordField });
const emailAlone = z.object({ email: emailField });
const passwordAlone = z.object({ password: passwordField });
const refresh = z.object({ refresh_token: tokenField });
const logout = z.object({ all: z.boolean('true or false').optional() }).optional();
const mailedToken = z.object({ token: tokenField });
const passwordReset = z.object({ token: tokenField, password: passwordField });
const passwordChange = z.object({ current_password: passwordField, password: passwordField });

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

/** What to search for, as it was written: the core says what it means. */
export const parseSearch = (query: unknown): { readonly q: string; readonly page: PageRequest } => {
  const { q, limit = DEFAULT_LIMIT, offset = 0 } = parse(searchQuery, query);
  return { q, page: pageRequest(limit, offset) };
};

/** With its formatting, unless `formatted` is `false`. */
export const parseExportQuery = (query: unknown): { readonly format: ExportFormat; readonly formatted: boolean } => {
  const { format, formatted = 'true' } = parse(exportQuery, query);
  return { format, formatted: formatted === 'true' };
};

/** Two revision numbers from 0, the original text; `to` is `undefined` for the newest. */
export const parseDiffQuery = (query: unknown): { readonly from: number; readonly to: number | undefined } => {
  const { from = 0, to } = parse(diffQuery, query);
  return { from, to };
};

/** The number of a page, or `undefined` if the text is the number of none. Throws nothing. */
export const parsePageNumber = (text: string): number | undefined => (pageNumber.test(text) ? Number(text) : undefined);

export const parseCredentials = (body: unknown): z.infer<typeof credentials> => parse(credentials, body);

export const parseEmail = (body: unknown): string => parse(emailAlone, body).email;

export const parsePassword = (body: unknown): string => parse(passwordAlone, body).password;

export const parseRefresh = (body: unknown): string => parse(refresh, body).refresh_token;

/** No body at all is allowed. */
export const parseLogout = (body: unknown): { readonly all: boolean } => ({ all: parse(logout, body)?.all ?? false });

export const parseMailedToken = (body: unknown): string => parse(mailedToken, body).token;

export const parsePasswordReset = (body: unknown): z.infer<typeof passwordReset> => parse(passwordReset, body);

export const parsePasswordChange = (body: unknown): { readonly currentPassword: string; readonly password: string } => {
  const { current_password: currentPassword, password } = parse(passwordChange, body);
  return { currentPassword, password };
};

export const parseRevision = (body: unknown): z.infer<typeof revision> => parse(revision, body);

export const parseUploadFields = (body: unknown): { readonly title?: string } => {
  const { title } = parse(uploadFields, body);
  return title === undefined ? {} : { title };
};
