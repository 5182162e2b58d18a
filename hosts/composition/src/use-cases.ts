import {
  authenticate,
  claimDocument,
  defaultWorkRules,
  deleteDocument,
  discardFile,
  downloadDocument,
  getDocument,
  keepLease,
  listDocuments,
  receiveFile,
  recognizeDocument,
  registerAccount,
  reviseOcr,
  signIn,
  sweep,
  sweepBlobs,
  uploadDocument,
  type Ports,
  type WorkRules,
} from '@palimpsest/core';
import type { Config } from './config.ts';

/** Every use case with its ports in place: what a host calls. */
export const createUseCases = (ports: Ports, config: Pick<Config, 'ocr' | 'workerConcurrency'>) => {
  const rules: WorkRules = { ...defaultWorkRules, maxAttempts: config.ocr.maxAttempts };
  const { languages, textLayer, maxPages, maxPixels, pageTimeoutMs, documentTimeoutMs } = config.ocr;
  const settings = {
    language: languages,
    textLayer,
    maxPages,
    maxPixels,
    pageTimeoutMs,
    documentTimeoutMs,
    pagesAtOnce: config.workerConcurrency,
  };
  return {
    rules,
    authenticate: authenticate(ports),
    claimDocument: claimDocument(ports, rules),
    deleteDocument: deleteDocument(ports),
    discardFile: discardFile(ports),
    downloadDocument: downloadDocument(ports),
    getDocument: getDocument(ports),
    keepLease: keepLease(ports, rules),
    listDocuments: listDocuments(ports),
    receiveFile: receiveFile(ports),
    recognizeDocument: recognizeDocument(ports, settings, rules),
    registerAccount: registerAccount(ports),
    reviseOcr: reviseOcr(ports),
    signIn: signIn(ports),
    sweep: sweep(ports),
    sweepBlobs: sweepBlobs(ports),
    uploadDocument: uploadDocument(ports),
  };
};

export type UseCases = ReturnType<typeof createUseCases>;
