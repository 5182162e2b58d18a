import type { Request, Response } from 'express';

interface Tag {
  readonly isWeak: boolean;
  readonly version: string;
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const tagsOf = (header: string): readonly Tag[] =>
  [...header.matchAll(TAG)].map(([, weak, version = '']) => ({ isWeak: weak !== undefined, version }));

/** The strong entity tag of a version (RFC 9110, section 8.8.3). */
export const entityTag = (version: string): string => `"${version}"`;

/**
 * The versions that a request is made for by `If-Match`: `undefined` if any will do (no header, or `*`). Weak tags match
 * nothing, as the comparison is a strong one (RFC 9110, section 13.1.1).
 */
export const expectedVersions = (req: Request): readonly string[] | undefined => {
  const header = req.get('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  return tagsOf(header)
    .filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);
};

/**
 * Sets the entity tag of the answer, and answers 304 if the client has that version already (`If-None-Match`; RFC 9110,
 * section 13.1.2). What a request says of caches on its way (`Cache-Control: no-cache`, as some clients add) is not for
 * the origin, so Express's own `req.fresh`, which heeds it, does not serve here.
 */
export const isAnsweredByTag = (req: Request, res: Response, version: string): boolean => {
  res.set('ETag', entityTag(version));
  const header = req.get('if-none-match');
  if (header === undefined) return false;
  if (header.trim() !== '*' && !tagsOf(header).some((tag) => tag.version === version)) return false;
  res.status(304).end();
  return true;
};
