import { createHash } from 'node:crypto';
import {
  plusMs,
  type Account,
  type AccountToken,
  type CompletedDocument,
  type DeletingDocument,
  type DocumentFields,
  type FailedDocument,
  type Instant,
  type KeyedRequest,
  type ProcessingDocument,
  type QueuedDocument,
  type RecognizedPage,
  type Session,
  type Word,
} from '@palimpsest/core';

const START: Instant = 1_800_000_000_123_457; // in 2027, with microseconds that milliseconds cannot hold

/** The moment `seconds` after the one at which the samples begin. */
export const at = (seconds: number): Instant => plusMs(START, seconds * 1000);

let lastSample = 0;

/** A UUID (version 7 in form) for the number given, or one that no sample had before. They sort by number. */
export const sampleId = (number: number = 1_000_000 + ++lastSample): string =>
  `01941f29-7c00-7000-8000-${number.toString(16).padStart(12, '0')}`;

const fields = (given: Partial<DocumentFields>): DocumentFields => {
  const id = given.id ?? sampleId();
  return {
    id,
    ownerId: 'owner-1',
    title: 'A letter',
    originalFilename: 'letter.pdf',
    mediaType: 'application/pdf',
    byteSize: 26_214_400,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    blobKey: `documents/${id}`,
    receivedAt: at(0),
    attempts: 0,
    retries: 0,
    pageTries: {},
    version: 1,
    ...given,
  };
};

/** A queued document that was due at once; state only what matters. */
export const aDocument = (given: Partial<Omit<QueuedDocument, 'status'>> = {}): QueuedDocument => ({
  ...fields(given),
  notBefore: given.receivedAt ?? at(0),
  ...given,
  status: 'queued',
});

/** A document in the hands of a worker until `at(30)`. */
export const aProcessingDocument = (given: Partial<Omit<ProcessingDocument, 'status'>> = {}): ProcessingDocument => {
  const token = given.run ?? sampleId();
  return {
    ...fields(given),
    attempts: 1,
    run: token,
    lease: { token, claimedAt: at(0), expiresAt: at(30) },
    pagesDone: 0,
    ...given,
    status: 'processing',
  };
};

/** A document that was read to its end. */
export const aCompletedDocument = (given: Partial<Omit<CompletedDocument, 'status'>> = {}): CompletedDocument => ({
  ...fields(given),
  attempts: 1,
  run: sampleId(),
  processedAt: at(20),
  ocr: { engine: 'tesseract', language: 'eng+deu', pageCount: 3 },
  ...given,
  status: 'completed',
});

/** A document that could not be read. */
export const aFailedDocument = (given: Partial<Omit<FailedDocument, 'status'>> = {}): FailedDocument => ({
  ...fields(given),
  attempts: 5,
  processedAt: at(20),
  errorMessage: 'The file is damaged.',
  ...given,
  status: 'failed',
});

/** A deleted document that may be purged from `at(0)` on. */
export const aDeletingDocument = (given: Partial<Omit<DeletingDocument, 'status'>> = {}): DeletingDocument => ({
  ...fields(given),
  purgeAfter: at(0),
  ...given,
  status: 'deleting',
});

/** Two words on two lines. */
export const someWords = (): readonly Word[] => [
  { text: 'Grüße', confidence: 0.875, bbox: [10, 20, 110, 60], line: 0, block: 0 },
  { text: '“friends”', confidence: 0.1, bbox: [10, 80, 190, 120], line: 1, block: 0 },
];

/** A recognised page. */
export const aPage = (given: Partial<RecognizedPage> = {}): RecognizedPage => ({
  number: 1,
  width: 2480,
  height: 3508,
  rotation: 0,
  source: 'ocr',
  engine: 'tesseract',
  language: 'eng+deu',
  text: 'Grüße\n“friends”\n',
  confidence: 0.4875,
  words: someWords(),
  ...given,
});

/** An account with an address of its own. */
export const anAccount = (given: Partial<Account> = {}): Account => {
  const id = given.id ?? sampleId();
  return {
    id,
    email: `${id}@example.org`,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNo',
    emailVerified: false,
    createdAt: at(0),
    ...given,
  };
};

/** The SHA-256 of a token that no sample had before, in hexadecimal. */
export const sampleDigest = (): string => createHash('sha256').update(sampleId()).digest('hex');

/** A session that ends at `at(3600)`, with a refresh token of its own. */
export const aSession = (given: Partial<Session> = {}): Session => ({
  id: sampleId(),
  accountId: 'account-1',
  refreshTokenDigest: sampleDigest(),
  createdAt: at(0),
  expiresAt: at(3600),
  ...given,
});

/** A token of its own for a new password, asked for at `at(0)`, that works until `at(3600)`. */
export const anAccountToken = (given: Partial<AccountToken> = {}): AccountToken => ({
  accountId: 'account-1',
  purpose: 'reset-password',
  digest: sampleId().replaceAll('-', '').padStart(64, 'a'),
  requestedAt: at(0),
  expiresAt: at(3600),
  ...given,
});

/** A request with a key and a resource of its own, held until `at(300)`; the key is free again from `at(86_400)` on. */
export const aKeyedRequest = (given: Partial<KeyedRequest> = {}): KeyedRequest => ({
  accountId: 'account-1',
  key: sampleId(),
  fingerprint: 'upload letter.pdf',
  resourceId: sampleId(),
  heldUntil: at(300),
  expiresAt: at(86_400),
  ...given,
});

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
