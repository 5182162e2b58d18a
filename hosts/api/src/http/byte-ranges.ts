import { AppError, type ByteRange } from '@palimpsest/core';
import type { Request, Response } from 'express';
import { entityTag } from './entity-tags.ts';

const ONE_RANGE = /^bytes=[ \t]*(\d{0,100})-(\d{0,100})[ \t]*$/i;

/**
 * Parses a `Range` header. Returns `undefined` if it is not one valid range, `beyond` if it starts after the last byte.
 */
const parseRange = (header: string, byteSize: number): ByteRange | 'beyond' | undefined => {
  const [, first, last] = ONE_RANGE.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '')
    return Number(last) === 0 ? 'beyond' : { start: Math.max(byteSize - Number(last), 0), end: byteSize - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= byteSize) return 'beyond';
  return { start: Number(first), end: last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1) };
};

/**
 * The range of a file that a GET request asks for (RFC 9110, section 14). `undefined` means the whole file: there is no
 * `Range` header, it is malformed, it has several ranges, or `If-Range` names another version. Throws
 * `RANGE_NOT_SATISFIABLE` if the range starts after the last byte.
 */
export const requestedRange = (
  req: Request,
  res: Response,
  byteSize: number,
  version: string,
): ByteRange | undefined => {
  const header = req.get('range');
  if (header === undefined || req.method !== 'GET') return undefined;
  const ifRange = req.get('if-range');
  if (ifRange !== undefined && ifRange !== entityTag(version)) return undefined;
  const range = parseRange(header, byteSize);
  if (range !== 'beyond') return range;
  res.set('Content-Range', `bytes */${byteSize}`);
  throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${byteSize} bytes. Request a range within them.`);
};
