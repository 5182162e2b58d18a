/*
 * The promises of all ports:
 *
 * - Values are copied. A caller may modify what it passed and what it received.
 * - Ids, keys and texts are stored and compared exactly, character by character. Stored ids and texts contain neither
 *   NUL nor lone surrogates. Lookups accept any string, also with these, and return nothing for an unknown one.
 * - Lists and removals include all records, regardless of their number. Times are exact to the microsecond.
 * - Concurrent calls do not affect each other's results. A change is visible to every later call, in every process on
 *   the same store.
 * - If the connection to the store fails, a call succeeds or throws `SERVICE_UNAVAILABLE`. It takes effect exactly once
 *   or not at all. Later calls succeed when the connection works again. `RateCounters` do not throw.
 * - If the disk is full, read-only or broken, or too many files are open, a call throws `SERVICE_UNAVAILABLE` too.
 */
import type { AccessTokens } from './access-tokens.ts';
import type { AccountRepository } from './account-repository.ts';
import type { AccountTokenRepository } from './account-token-repository.ts';
import type { BlobStore } from './blob-store.ts';
import type { Checksums } from './checksums.ts';
import type { Clock } from './clock.ts';
import type { DocumentExporter } from './document-exporter.ts';
import type { DocumentRepository } from './document-repository.ts';
import type { FaultLog } from './fault-log.ts';
import type { IdGenerator } from './id-generator.ts';
import type { IdempotencyRepository } from './idempotency-repository.ts';
import type { ImagePreparer } from './image-preparer.ts';
import type { JobQueue } from './job-queue.ts';
import type { MailLedger } from './mail-ledger.ts';
import type { Mailer } from './mailer.ts';
import type { OcrEngine } from './ocr-engine.ts';
import type { PageImageEncoder } from './page-image-encoder.ts';
import type { PageRepository } from './page-repository.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Rasterizer } from './rasterizer.ts';
import type { RateCounters } from './rate-counters.ts';
import type { RevisionRepository } from './revision-repository.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchablePdfWriter } from './searchable-pdf-writer.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { SessionRepository } from './session-repository.ts';
import type { TextLayerReader } from './text-layer-reader.ts';
import type { Timer } from './timer.ts';
import type { WordDiff } from './word-diff.ts';

/** All ports of the core. Each use case takes only the ports that it needs. */
export interface Ports {
  readonly accessTokens: AccessTokens;
  readonly accounts: AccountRepository;
  readonly accountTokens: AccountTokenRepository;
  readonly blobs: BlobStore;
  readonly checksums: Checksums;
  readonly clock: Clock;
  readonly documents: DocumentRepository;
  readonly exporters: readonly DocumentExporter[];
  readonly faults: FaultLog;
  readonly idempotency: IdempotencyRepository;
  readonly ids: IdGenerator;
  readonly imagePreparer: ImagePreparer;
  readonly jobs: JobQueue;
  readonly mailer: Mailer;
  readonly mailLedger: MailLedger;
  readonly ocrEngine: OcrEngine;
  readonly pageImages: PageImageEncoder;
  readonly pages: PageRepository;
  readonly passwordHasher: PasswordHasher;
  readonly rateCounters: RateCounters;
  readonly rasterizers: readonly Rasterizer[];
  readonly revisions: RevisionRepository;
  readonly searchablePdfs: SearchablePdfWriter;
  readonly searchIndex: SearchIndex;
  readonly secretTokens: SecretTokens;
  readonly sessions: SessionRepository;
  readonly textLayerReaders: readonly TextLayerReader[];
  readonly timer: Timer;
  readonly wordDiff: WordDiff;
}
