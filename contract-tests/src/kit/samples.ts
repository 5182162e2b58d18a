import { createHash } from 'node:crypto';
import { type Instant, plusMs } from '@palimpsest/core';

const START: Instant = 1_800_000_000_123_457; // in 2027, with microseconds that milliseconds cannot hold

/** The moment `seconds` after the one at which the samples begin. */
export const at = (seconds: number): Instant => plusMs(START, seconds * 1000);

let lastSample = 0;

/** A UUID (version 7 in form) for the number given, or one that no sample had before. They sort by number. */
export const sampleId = (number: number = 1_000_000 + ++lastSample): string =>
  `01941f29-7c00-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** The SHA-256 of a token that no sample had before, in hexadecimal. */
export const sampleDigest = (): string => createHash('sha256').update(sampleId()).digest('hex');

/** Texts that a store takes for one another which folds, cuts, pads or normalises what it compares. */
export const lookalikes: readonly string[] = [
  'e',
  'E',
  'é',
  'e\u0301',
  'ｅ',
  'e\u00ad',
  'e ',
  ' e',
  'x'.repeat(10_240),
  `${'x'.repeat(10_239)}y`,
];

/** Texts that careless stores break, execute or mistake for something else. None has a NUL or a lone surrogate. */
export const strangeTexts: readonly string[] = [
  '',
  ' ',
  "'; DROP TABLE documents; --",
  '"quoted" \\ `back` %_*?',
  '__proto__',
  'constructor',
  '$ne',
  '{"$gt":""}',
  'a.b.$[]',
  'null',
  '0',
  '1e3',
  'é \u0065\u0301 ﬁ ß İ',
  '👩‍👩‍👧 🏳️‍🌈 𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'line\nline\r\nline\ttab\u2028end',
  ...lookalikes,
];

/** How many things are stored where all of them count: more than stores give, or remove, in one go. */
export const MANY = 120;

/** Ids in the order of their characters, which is neither that of numbers nor that of a dictionary. */
export const idsInOrder: readonly string[] = ['10', '9', 'A', 'B', 'a', 'a-', 'b'];

/** Ids that nothing has: any string may be asked for. */
export const unknownIds: readonly string[] = [
  ...strangeTexts,
  '\0',
  `${sampleId(1)}\0`,
  '\ud800',
  'a\udfffb',
  sampleId(1).toUpperCase(),
];
