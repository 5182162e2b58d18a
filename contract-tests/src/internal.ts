/** Test data of this repository. It may change in any version; adapters outside it use the main entry only. */

export { strangeExportLines, structuredTexts } from './document-exporter/samples.ts';
export {
  aPng,
  encryptedPdf,
  greyAt,
  greyWithin,
  markedExifJpeg,
  markedImage,
  neverAborted,
  textSample,
} from './kit/page-samples.ts';
export { markedPdf, type MarkedPage } from './kit/pdf-samples.ts';
export { errorShare } from './ocr-engine/error-share.ts';
export { inRows, wordsByScript } from './searchable-pdf-writer/script-samples.ts';
