import type { Ports } from '@palimpsest/core';
import type { ServiceIdentifier } from 'inversify';

type PortSymbols = { readonly [K in keyof Ports]: ServiceIdentifier<Ports[K]> };

/** Under which symbol each port is bound in the container. */
export const T: PortSymbols = {
  accessTokens: Symbol.for('AccessTokens'),
  accounts: Symbol.for('AccountRepository'),
  accountTokens: Symbol.for('AccountTokenRepository'),
  blobs: Symbol.for('BlobStore'),
  checksums: Symbol.for('Checksums'),
  clock: Symbol.for('Clock'),
  documents: Symbol.for('DocumentRepository'),
  exporters: Symbol.for('DocumentExporters'),
  faults: Symbol.for('FaultLog'),
  idempotency: Symbol.for('IdempotencyRepository'),
  ids: Symbol.for('IdGenerator'),
  imagePreparer: Symbol.for('ImagePreparer'),
  jobs: Symbol.for('JobQueue'),
  mailer: Symbol.for('Mailer'),
  mailLedger: Symbol.for('MailLedger'),
  ocrEngine: Symbol.for('OcrEngine'),
  pageImages: Symbol.for('PageImageEncoder'),
  pageLimit: Symbol.for('PageLimit'),
  pages: Symbol.for('PageRepository'),
  passwordHasher: Symbol.for('PasswordHasher'),
  rateCounters: Symbol.for('RateCounters'),
  rasterizers: Symbol.for('Rasterizers'),
  revisions: Symbol.for('RevisionRepository'),
  searchablePdfs: Symbol.for('SearchablePdfWriter'),
  searchIndex: Symbol.for('SearchIndex'),
  secretTokens: Symbol.for('SecretTokens'),
  sessions: Symbol.for('SessionRepository'),
  textLayerReaders: Symbol.for('TextLayerReaders'),
  viewLimit: Symbol.for('ViewLimit'),
  wordDiff: Symbol.for('WordDiff'),
};
