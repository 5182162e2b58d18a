import type { Request, Response } from 'express';

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The strong entity tag of a version (RFC 9110, section 8.8.3). */
export const entityTag = (version: string): string => `"${version}"`;

/**
 * The versions that a request is made for by `If-Match`: `undefined` if any will do (no header, or `*`). Weak tags match
 * nothing, as the comparison is a strong one (RFC 9110, section 13.1.1).
 */
export const expectedVersions = (req: Request): readonly string[] | undefined => {
  const header = req.get('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)].filter(([, weak]) => weak === undefined).map(([, , version = '']) => version);
};

/** Sets the entity tag of the answer, and answers 304 if the client has that version already (`If-None-Match`). */
export const isAnsweredByTag = (req: Request, res: Response, version: string): boolean => {
  res.set('ETag', entityTag(version));
  if (!req.fresh) return false;
  res.status(304).end();
  return true;
};
