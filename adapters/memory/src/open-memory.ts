import type { Ports } from '@palimpsest/core';
import { MemoryAccessTokens } from './memory-access-tokens.ts';
import { MemoryAccountRepository } from './memory-account-repository.ts';
import { MemoryAccountTokenRepository } from './memory-account-token-repository.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';
import { MemoryChecksums } from './memory-checksums.ts';
import { MemoryClock } from './memory-clock.ts';
import { MemoryDocumentExporter } from './memory-document-exporter.ts';
import { MemoryDocumentRepository } from './memory-document-repository.ts';
import { MemoryFaultLog } from './memory-fault-log.ts';
import { MemoryIdempotencyRepository } from './memory-idempotency-repository.ts';
import { MemoryImagePreparer } from './memory-image-preparer.ts';
import { MemoryJobQueue } from './memory-job-queue.ts';
import { MemoryMailer } from './memory-mailer.ts';
import { MemoryMailLedger } from './memory-mail-ledger.ts';
import { MemoryOcrEngine } from './memory-ocr-engine.ts';
import { MemoryPageImageEncoder } from './memory-page-image-encoder.ts';
import { MemoryPageRepository } from './memory-page-repository.ts';
import { MemoryPasswordHasher } from './memory-password-hasher.ts';
import { MemoryRasterizer } from './memory-rasterizer.ts';
import { MemoryRateCounters } from './memory-rate-counters.ts';
import { MemoryRevisionRepository } from './memory-revision-repository.ts';
import { MemorySearchablePdfWriter } from './memory-searchable-pdf-writer.ts';
import { MemorySearchIndex } from './memory-search-index.ts';
import { MemorySecretTokens } from './memory-secret-tokens.ts';
import { MemorySessionRepository } from './memory-session-repository.ts';
import { MemoryStore } from './memory-store.ts';
import { MemoryTextLayerReader } from './memory-text-layer-reader.ts';
import { MemoryWordDiff } from './memory-word-diff.ts';
import { SequentialIds } from './sequential-ids.ts';

/** All ports in memory, with the additional methods of the memory adapters that tests use. */
export interface MemoryPorts extends Ports {
  readonly clock: MemoryClock;
  readonly faults: MemoryFaultLog;
  readonly jobs: MemoryJobQueue;
  readonly mailer: MemoryMailer;
}

/**
 * Opens every port in memory. Two calls with the same store act like two processes on one database. Pass the same clock
 * to both calls, and an object `ids` if both generate ids. The decoders read only toy files (see `toyFile`).
 */
export const openMemory = (
  store: MemoryStore = new MemoryStore(),
  {
    clock = new MemoryClock(),
    ids = new SequentialIds(),
  }: { readonly clock?: MemoryClock; readonly ids?: SequentialIds } = {},
): MemoryPorts => ({
  accessTokens: new MemoryAccessTokens(),
  accounts: new MemoryAccountRepository(store),
  accountTokens: new MemoryAccountTokenRepository(store),
  blobs: new MemoryBlobStore(store, clock),
  checksums: new MemoryChecksums(),
  clock,
  documents: new MemoryDocumentRepository(store),
  exporters: [new MemoryDocumentExporter('docx'), new MemoryDocumentExporter('xlsx')],
  faults: new MemoryFaultLog(),
  idempotency: new MemoryIdempotencyRepository(store),
  ids,
  imagePreparer: new MemoryImagePreparer(),
  jobs: new MemoryJobQueue(store, { clock }),
  mailer: new MemoryMailer(),
  mailLedger: new MemoryMailLedger(store),
  ocrEngine: new MemoryOcrEngine(),
  pageImages: new MemoryPageImageEncoder(),
  pages: new MemoryPageRepository(store),
  passwordHasher: new MemoryPasswordHasher(),
  rasterizers: [new MemoryRasterizer()],
  rateCounters: new MemoryRateCounters(store, clock),
  revisions: new MemoryRevisionRepository(store),
  searchablePdfs: new MemorySearchablePdfWriter(),
  searchIndex: new MemorySearchIndex(store),
  secretTokens: new MemorySecretTokens({ key: store.tokenKey }),
  sessions: new MemorySessionRepository(store),
  textLayerReaders: [new MemoryTextLayerReader()],
  timer: clock,
  wordDiff: new MemoryWordDiff(),
});
