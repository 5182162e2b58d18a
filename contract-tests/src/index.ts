export type { Capability, Open, Opened, Without } from './kit/harness.ts';
export { NO_CONNECTION, type Faults } from './kit/faults.ts';
export { openFaultProxy, type FaultProxy, type FaultProxyTarget } from './kit/fault-proxy.ts';
export { describeAgreement, type Agreement } from './kit/agreement.ts';
export {
  operation,
  type Contestant,
  type OperationKind,
  type OperationModel,
  type PlannedOperation,
} from './kit/cross-check.ts';
export { anySeed, type Random } from './kit/random.ts';
export { at, lookalikes, sampleDigest, sampleId, strangeTexts } from './kit/samples.ts';
export { describeAccessTokens } from './access-tokens/contract.ts';
export { describeAccountRepository } from './account-repository/contract.ts';
export { accountModel } from './account-repository/model.ts';
export { anAccount } from './account-repository/samples.ts';
export { describeAccountTokenRepository } from './account-token-repository/contract.ts';
export { accountTokenModel } from './account-token-repository/model.ts';
export { anAccountToken } from './account-token-repository/samples.ts';
export { describeBlobStore } from './blob-store/contract.ts';
export { describeLongBlobStore } from './blob-store/long.ts';
export { blobModel } from './blob-store/model.ts';
export { describeChecksums } from './checksums/contract.ts';
export { describeClock } from './clock/contract.ts';
export {
  describeDocumentExporter,
  type ReadableExporter,
  type ReadExport,
  type ReadLine,
} from './document-exporter/contract.ts';
export { describeDocumentRepository } from './document-repository/contract.ts';
export { documentModel } from './document-repository/model.ts';
export {
  aCompletedDocument,
  aDeletingDocument,
  aDocument,
  aFailedDocument,
  aProcessingDocument,
} from './document-repository/samples.ts';
export { describeFaultLog, type ReadableFaultLog } from './fault-log/contract.ts';
export { describeIdGenerator } from './id-generator/contract.ts';
export { describeIdempotencyRepository } from './idempotency-repository/contract.ts';
export { idempotencyModel } from './idempotency-repository/model.ts';
export { aKeyedRequest } from './idempotency-repository/samples.ts';
export { describeImagePreparer } from './image-preparer/contract.ts';
export { describeJobQueue } from './job-queue/contract.ts';
export type { TimedJobQueue } from './job-queue/timed-job-queue.ts';
export { describeMailLedger } from './mail-ledger/contract.ts';
export { mailLedgerModel } from './mail-ledger/model.ts';
export { describeMailer } from './mailer/contract.ts';
export type { WatchedMailer } from './mailer/mail-test.ts';
export { aMail, anAttachment, type DeliveredMail } from './mailer/samples.ts';
export { describeOcrEngine } from './ocr-engine/contract.ts';
export { describePageImageEncoder, type DecodedPageImages } from './page-image-encoder/contract.ts';
export { describePageRepository } from './page-repository/contract.ts';
export { pageModel } from './page-repository/model.ts';
export { aPage } from './page-repository/samples.ts';
export { describePasswordHasher } from './password-hasher/contract.ts';
export { describeLongPasswordHasher } from './password-hasher/long.ts';
export { describeJpegRasterizer } from './rasterizer/jpeg.ts';
export { describePdfRasterizer } from './rasterizer/pdf.ts';
export { describePngRasterizer } from './rasterizer/png.ts';
export { describeRateCounters } from './rate-counters/contract.ts';
export { describeLongRateCounters } from './rate-counters/long.ts';
export { rateCountersModel } from './rate-counters/model.ts';
export type { TimedRateCounters } from './rate-counters/timed-rate-counters.ts';
export { describeRevisionRepository } from './revision-repository/contract.ts';
export { revisionModel } from './revision-repository/model.ts';
export { describeSearchIndex } from './search-index/contract.ts';
export { describeLongSearchIndex } from './search-index/long.ts';
export { searchModel } from './search-index/model.ts';
export { aSearchEntry } from './search-index/samples.ts';
export { describeSearchablePdfWriter } from './searchable-pdf-writer/contract.ts';
export type { FoundPage, FoundWord, ReadSearchablePdfs } from './searchable-pdf-writer/found-pages.ts';
export { describeSecretTokens } from './secret-tokens/contract.ts';
export { describeSessionRepository } from './session-repository/contract.ts';
export { describeLongSessionRepository } from './session-repository/long.ts';
export { sessionModel } from './session-repository/model.ts';
export { aSession } from './session-repository/samples.ts';
export { describeTextLayerReader } from './text-layer-reader/contract.ts';
export { describeTimer, type TimedTimer } from './timer/contract.ts';
export { describeWordDiff } from './word-diff/contract.ts';
export { describeLongWordDiff } from './word-diff/long.ts';
