import type { AccessTokens } from './access-tokens.ts';
import type { AccountRepository } from './account-repository.ts';
import type { BlobStore } from './blob-store.ts';
import type { Checksums } from './checksums.ts';
import type { Clock } from './clock.ts';
import type { DocumentRepository } from './document-repository.ts';
import type { FaultLog } from './fault-log.ts';
import type { IdGenerator } from './id-generator.ts';
import type { ImagePreparer } from './image-preparer.ts';
import type { JobQueue } from './job-queue.ts';
import type { OcrEngine } from './ocr-engine.ts';
import type { PageRepository } from './page-repository.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Rasterizer } from './rasterizer.ts';
import type { RevisionRepository } from './revision-repository.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { SessionRepository } from './session-repository.ts';
import type { TaskLimit } from './task-limit.ts';
import type { TextLayerReader } from './text-layer-reader.ts';

/** Everything that the core asks of the outside. Each use case takes the few that it needs. */
export interface Ports {
  readonly accessTokens: AccessTokens;
  readonly accounts: AccountRepository;
  readonly blobs: BlobStore;
  readonly checksums: Checksums;
  readonly clock: Clock;
  readonly documents: DocumentRepository;
  readonly faults: FaultLog;
  readonly ids: IdGenerator;
  readonly imagePreparer: ImagePreparer;
  readonly jobs: JobQueue;
  readonly ocrEngine: OcrEngine;
  readonly pageLimit: TaskLimit;
  readonly pages: PageRepository;
  readonly passwordHasher: PasswordHasher;
  readonly rasterizers: readonly Rasterizer[];
  readonly revisions: RevisionRepository;
  readonly secretTokens: SecretTokens;
  readonly sessions: SessionRepository;
  readonly textLayerReaders: readonly TextLayerReader[];
}
