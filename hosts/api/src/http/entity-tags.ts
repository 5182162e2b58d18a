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
 * The versions in an `If-Match` header: `undefined` if every version matches (no header, or `*`). Weak tags match
 * nothing, because the comparison is a strong one (RFC 9110, section 13.1.1).
 */
export const expectedVersions = (ifMatch: string | undefined): readonly string[] | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return tagsOf(ifMatch)
    .filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);
};

/**
 * Sets the entity tag of the response. Answers 304 and returns true if `If-None-Match` names this version (RFC 9110,
 * section 13.1.2). It does not use Express's `req.fresh`, because that function also evaluates `Cache-Control:
 * no-cache` of the request, which some clients always send. That directive is for caches, not for the origin server.
 */
export const isNotModified = (req: Request, res: Response, version: string): boolean => {
  res.set('ETag', entityTag(version));
  const header = req.get('if-none-match');
  if (header === undefined) return false;
  if (header.trim() !== '*' && !tagsOf(header).some((tag) => tag.version === version)) return false;
  res.status(304).end();
  return true;
};
