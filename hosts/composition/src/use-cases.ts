import {
  authenticate,
  changePassword,
  claimDocument,
  closeAccount,
  defaultWorkRules,
  deleteDocument,
  discardFile,
  downloadDocument,
  emailDocument,
  findOwnAccount,
  forgotPassword,
  getDocument,
  keepLease,
  listDocuments,
  receiveFile,
  recognizeDocument,
  refreshSession,
  registerAccount,
  resendVerification,
  resetPassword,
  reviseOcr,
  sendMail,
  signIn,
  signOut,
  sweep,
  sweepBlobs,
  uploadDocument,
  verifyEmail,
  type Ports,
  type WorkRules,
} from '@palimpsest/core';
import type { Config } from './config.ts';

/** Every use case with its ports in place: what a host calls. */
export const createUseCases = (ports: Ports, config: Pick<Config, 'ocr' | 'workerConcurrency' | 'publicUrl'>) => {
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
  const mailSettings = { publicUrl: config.publicUrl, messageIdDomain: new URL(config.publicUrl).hostname };
  return {
    rules,
    authenticate: authenticate(ports),
    changePassword: changePassword(ports),
    claimDocument: claimDocument(ports, rules),
    closeAccount: closeAccount(ports),
    deleteDocument: deleteDocument(ports),
    discardFile: discardFile(ports),
    downloadDocument: downloadDocument(ports),
    emailDocument: emailDocument(ports),
    findOwnAccount: findOwnAccount(ports),
    forgotPassword: forgotPassword(ports),
    getDocument: getDocument(ports),
    keepLease: keepLease(ports, rules),
    listDocuments: listDocuments(ports),
    receiveFile: receiveFile(ports),
    recognizeDocument: recognizeDocument(ports, settings, rules),
    refreshSession: refreshSession(ports),
    registerAccount: registerAccount(ports),
    resendVerification: resendVerification(ports),
    resetPassword: resetPassword(ports),
    reviseOcr: reviseOcr(ports),
    sendMail: sendMail(ports, mailSettings),
    signIn: signIn(ports),
    signOut: signOut(ports),
    sweep: sweep(ports),
    sweepBlobs: sweepBlobs(ports),
    uploadDocument: uploadDocument(ports),
    verifyEmail: verifyEmail(ports),
  };
};

export type UseCases = ReturnType<typeof createUseCases>;
