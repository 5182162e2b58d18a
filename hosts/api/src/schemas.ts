import { AppError, DEFAULT_LIMIT, pageRequest, type ExportFormat, type PageRequest } from '@palimpsest/core';
import type { z } from 'zod';
import {
  credentials,
  diffQuery,
  emailAlone,
  exportQuery,
  logout,
  mailedToken,
  pagingQuery,
  passwordAlone,
  passwordChange,
  passwordReset,
  refresh,
  revision,
  searchQuery,
  uploadFields,
} from './schemas/requests.ts';

const pageNumber = /^[1-9]\d{0,8}$/;

const parse = <T>(schema: z.ZodType<T>, value: unknown): T => {
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
