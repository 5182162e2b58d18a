import { AppError, type ByteRange } from '@palimpsest/core';
import type { Request, Response } from 'express';
import { entityTag } from './entity-tags.ts';

/**
 * The part of a file that a GET request asks for by `Range`, `undefined` for the whole: where there is no such header,
 * one that cannot be read, one of several parts, or one for another version of the file (`If-Range`). Throws
 * `RANGE_NOT_SATISFIABLE` for a part that begins beyond the end (RFC 9110, section 14).
 */
export const requestedRange = (req: Request, res: Response, byteSize: number, version: string): ByteRange | undefined => {
  if (req.method !== 'GET') return undefined;
  const ifRange = req.get('if-range');
  if (ifRange !== undefined && ifRange !== entityTag(version)) return undefined;
  const ranges = req.range(byteSize);
  if (ranges === -1) {
    res.set('Content-Range', `bytes */${byteSize}`);
    throw new AppError('RANGE_NOT_SATISFIABLE', `The file has ${byteSize} bytes. Ask for a part of it.`);
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  const [range] = ranges;
  return range && { start: range.start, end: range.end };
};
