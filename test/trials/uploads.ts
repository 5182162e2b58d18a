import { createHash } from 'node:crypto';
import { textPdf } from '../../hosts/api/test/samples.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A PDF of so many pages. Its text contains `seed`. */
export const textPages = (pages: number, seed: number): Buffer =>
  textPdf(...Array.from({ length: pages }, (_, i) => `Page ${i + 1} of the document with the number ${seed}`));
