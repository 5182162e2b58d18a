import { AppError, type ByteRange } from '@palimpsest/core';
import type { Request, Response } from 'express';
import { entityTag } from './entity-tags.ts';

const ONE_RANGE = /^bytes=[ \t]*(\d{0,100})-(\d{0,100})[ \t]*$/i;

/** The part that a `Range` asks for: `undefined` if it is none that is understood, `beyond` if the file ends before it. */
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
 * The part of a file that a GET request asks for by `Range`, `undefined` for the whole: where there is no such header,
 * one that cannot be read, one of several parts, or one for another version of the file (`If-Range`). Throws
 * `RANGE_NOT_SATISFIABLE` for a part that begins beyond the end (RFC 9110, section 14).
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
  throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${byteSize} bytes. Ask for a part of it.`);
};
