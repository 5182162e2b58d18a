import type { Ports } from '@palimpsest/core';
import type { ServiceIdentifier } from 'inversify';

type PortSymbols = { readonly [K in keyof Ports]: ServiceIdentifier<Ports[K]> };

/** Under which symbol each port is bound in the container. */
export const T: PortSymbols = {
  accessTokens: Symbol.for('AccessTokens'),
  accounts: Symbol.for('AccountRepository'),
  blobs: Symbol.for('BlobStore'),
  checksums: Symbol.for('Checksums'),
  clock: Symbol.for('Clock'),
  documents: Symbol.for('DocumentRepository'),
  faults: Symbol.for('FaultLog'),
  ids: Symbol.for('IdGenerator'),
  imagePreparer: Symbol.for('ImagePreparer'),
  jobs: Symbol.for('JobQueue'),
  ocrEngine: Symbol.for('OcrEngine'),
  pageLimit: Symbol.for('TaskLimit'),
  pages: Symbol.for('PageRepository'),
  passwordHasher: Symbol.for('PasswordHasher'),
  rasterizers: Symbol.for('Rasterizers'),
  revisions: Symbol.for('RevisionRepository'),
  secretTokens: Symbol.for('SecretTokens'),
  sessions: Symbol.for('SessionRepository'),
  textLayerReaders: Symbol.for('TextLayerReaders'),
};
