import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { asInteger } from '../http/openapi/formats.ts';

/**
 * Replaces a malformed page number. No page has this number. So the use case answers, which knows whether the document
 * or only the page is missing.
 */
const NO_PAGE = 0;

/** The path of a page. */
export const pagePath = documentPath.extend({
  number: z
    .string()
    .transform((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : NO_PAGE))
    .meta({
      description: 'The number of the page, from 1.',
      override: asInteger({ minimum: 1 }),
      param: { example: 1 },
    }),
});
