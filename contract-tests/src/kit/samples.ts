import { createHash } from 'node:crypto';
import { type Instant, plusMs } from '@palimpsest/core';

const START: Instant = 1_800_000_000_123_457; // in 2027; a store with millisecond precision would lose the microseconds

/** The time `seconds` after the start of the samples. */
export const at = (seconds: number): Instant => plusMs(START, seconds * 1000);

let lastSample = 0;

/** A UUID in the form of version 7 for the given number, or a new one. Ids sort by number. */
export const sampleId = (number: number = 1_000_000 + ++lastSample): string =>
  `01941f29-7c00-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** A new SHA-256 digest in hexadecimal. */
export const sampleDigest = (): string => createHash('sha256').update(sampleId()).digest('hex');

/** Texts that a store confuses if it folds, truncates, pads or normalizes keys. */
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

/** Texts that an incorrect store damages or executes. None has a NUL or a lone surrogate. */
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

/** The number of records in tests of many: more than the usual batch of a database. */
export const MANY = 120;

/** Ids in the order of their characters, which is neither numeric nor alphabetical. */
export const idsInOrder: readonly string[] = ['10', '9', 'A', 'B', 'a', 'a-', 'b'];

/** Ids that no record has. A port accepts any string. */
export const unknownIds: readonly string[] = [
  ...strangeTexts,
  '\0',
  `${sampleId(1)}\0`,
  '\ud800',
  'a\udfffb',
  sampleId(1).toUpperCase(),
];
