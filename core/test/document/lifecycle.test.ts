import {
  acceptDocument,
  afterFault,
  AppError,
  backOffMs,
  claim,
  complete,
  defaultWorkRules,
  errorCodes,
  fail,
  faultClass,
  release,
  requireLease,
  INTERRUPTED_MESSAGE,
  isAppError,
  isClaimable,
  markDeleted,
  processedAtOf,
  renew,
  reprocess,
  type CompletedDocument,
  type Document,
  type FailedDocument,
  type OcrResult,
  type ProcessingDocument,
  type QueuedDocument,
  type VisibleDocument,
  type WorkFault,
} from '@palimpsest/core';
import { expect } from 'chai';

const NOW = 1_795_253_412_345_678;
const SECOND = 1_000_000;
const RULES = defaultWorkRules;
const OCR: OcrResult = { engine: 'tesseract', language: 'eng', pageCount: 2 };

const received = {
  id: '01a1fc10-1827-7434-a61f-18a1a6281dd1',
  ownerId: '01a1fc10-1827-7434-a61f-18a1a6281dd2',
  title: 'Letter',
  originalFilename: 'letter.pdf',
  mediaType: 'application/pdf',
  byteSize: 1000,
  sha256: 'ab'.repeat(32),
  blobKey: 'a/letter',
  receivedAt: NOW - 100 * SECOND,
} as const;
const fields = { ...received, attempts: 1, retries: 0, pageTries: {}, run: 'token', version: 7 };

const queued: QueuedDocument = { ...fields, status: 'queued', notBefore: NOW };
const processing: ProcessingDocument = {
  ...fields,
  status: 'processing',
  lease: { token: 'token', claimedAt: NOW - SECOND, expiresAt: NOW + SECOND },
  pagesDone: 1,
  pagesTotal: 2,
};
const completed: CompletedDocument = { ...fields, status: 'completed', processedAt: NOW - SECOND, ocr: OCR };
const failed: FailedDocument = { ...fields, status: 'failed', processedAt: NOW - SECOND, errorMessage: 'Broken.' };
const deleting: Document = { ...fields, status: 'deleting', purgeAfter: NOW };
const inEveryStatus: readonly Document[] = [queued, processing, completed, failed, deleting];

const codeOf = (action: () => unknown): string => {
  try {
    action();
    return 'allowed';
  } catch (error) {
    return isAppError(error) ? error.code : `threw ${String(error)}`;
  }
};

describe('the lifecycle of a document', () => {
  const transitions: Readonly<
    Record<string, { apply: (document: Document) => unknown; from: readonly string[]; refusal: string }>
  > = {
    claim: { apply: (document) => claim(document, 'new', NOW, RULES), from: ['queued'], refusal: 'ILLEGAL_TRANSITION' },
    complete: {
      apply: (document) => complete(document, OCR, NOW),
      from: ['processing'],
      refusal: 'ILLEGAL_TRANSITION',
    },
    fail: { apply: (document) => fail(document, 'Broken.', NOW), from: ['processing'], refusal: 'ILLEGAL_TRANSITION' },
    reprocess: { apply: (document) => reprocess(document, NOW), from: ['failed'], refusal: 'DOCUMENT_NOT_FAILED' },
    requireLease: {
      apply: (document) => requireLease(document, 'token', NOW),
      from: ['processing'],
      refusal: 'LEASE_LOST',
    },
  };
  for (const [name, { apply, from, refusal }] of Object.entries(transitions)) {
    for (const document of inEveryStatus) {
      const expected = from.includes(document.status) ? 'allowed' : refusal;
      it(`${name} of a document that is ${document.status} is ${expected}`, () => {
        const before = structuredClone(document);
        expect(codeOf(() => apply(document))).to.equal(expected);
        expect(document).to.deep.equal(before);
      });
    }
  }

  it('starts queued, due at once, without attempts', () => {
    expect(acceptDocument(received)).to.deep.equal({
      ...received,
      status: 'queued',
      notBefore: received.receivedAt,
      attempts: 0,
      retries: 0,
      pageTries: {},
      version: 1,
    });
  });

  it('increases the version by one and keeps the received fields with every change', () => {
    const changes: readonly Document[] = [
      claim(queued, 'new', NOW, RULES),
      complete(processing, OCR, NOW),
      fail(processing, 'Broken.', NOW),
      reprocess(failed, NOW),
      renew(processing, NOW, RULES),
      release(processing, NOW),
      ...[queued, processing, completed, failed].map((document) => markDeleted(document, NOW)),
      ...(['permanent', 'over-limit', 'infrastructure', 'crash'] as const).map((kind) =>
        afterFault(processing, { class: kind, message: 'Broken.' }, NOW, RULES),
      ),
    ];
    for (const next of changes) expect(next).to.deep.include({ ...received, version: 8 });
  });

  it('drops the fields of the earlier status', () => {
    const own: Readonly<Record<string, readonly string[]>> = {
      queued: ['notBefore'],
      processing: ['lease', 'pagesDone'],
      completed: ['processedAt', 'ocr'],
      failed: ['processedAt', 'errorMessage'],
      deleting: ['purgeAfter'],
    };
    const changes: readonly Document[] = [
      claim(queued, 'new', NOW, RULES),
      complete(processing, OCR, NOW),
      fail(processing, 'x', NOW),
      reprocess(failed, NOW),
      release(processing, NOW),
      markDeleted(completed, NOW),
      afterFault(processing, { class: 'crash', message: 'x' }, NOW, RULES),
    ];
    for (const next of changes)
      expect(Object.keys(next)).to.have.members([...Object.keys(fields), 'status', ...(own[next.status] ?? [])]);
  });

  it('is claimable when it is queued and due, or when its lease has expired, to the microsecond', () => {
    expect(isClaimable(queued, NOW)).to.equal(true);
    expect(isClaimable(queued, NOW - 1)).to.equal(false);
    expect(isClaimable(processing, NOW + SECOND)).to.equal(true);
    expect(isClaimable(processing, NOW + SECOND - 1)).to.equal(false);
    for (const document of [completed, failed, deleting])
      expect(isClaimable(document, Number.MAX_SAFE_INTEGER)).to.equal(false);
  });

  it('counts the attempt, and starts a run and a lease, when it is claimed', () => {
    for (const document of [queued, { ...processing, lease: { ...processing.lease, expiresAt: NOW } }]) {
      expect(claim(document, 'new', NOW, RULES)).to.deep.include({
        status: 'processing',
        attempts: 2,
        run: 'new',
        pagesDone: 0,
        lease: { token: 'new', claimedAt: NOW, expiresAt: NOW + 30 * SECOND },
      });
    }
  });

  it('fails when it is claimed after its last attempt', () => {
    expect(claim({ ...queued, attempts: 4 }, 'new', NOW, RULES)).to.include({ status: 'processing', attempts: 5 });
    expect(claim({ ...queued, attempts: 5 }, 'new', NOW, RULES)).to.include({
      status: 'failed',
      attempts: 5,
      processedAt: NOW,
      errorMessage: INTERRUPTED_MESSAGE,
      run: 'token',
    });
  });

  it('is leased to the worker with its token until the lease expires', () => {
    expect(requireLease(processing, 'token', NOW + SECOND - 1)).to.equal(processing);
    expect(codeOf(() => requireLease(processing, 'token', NOW + SECOND))).to.equal('LEASE_LOST');
    expect(codeOf(() => requireLease(processing, 'other', NOW))).to.equal('LEASE_LOST');
    expect(codeOf(() => requireLease(undefined, 'token', NOW))).to.equal('LEASE_LOST');
  });

  it('has the full lease duration again after each heartbeat, and keeps its progress', () => {
    expect(renew(processing, NOW, RULES)).to.deep.equal({
      ...processing,
      version: 8,
      lease: { ...processing.lease, expiresAt: NOW + 30 * SECOND },
    });
    expect(renew(processing, NOW, RULES, { pagesDone: 2 })).to.include({ pagesDone: 2, pagesTotal: 2 });
    expect(renew(processing, NOW, RULES, { pagesTotal: 9 })).to.include({ pagesDone: 1, pagesTotal: 9 });
  });

  it('is completed with at least one page, and resets its retries', () => {
    expect(complete({ ...processing, retries: 3 }, OCR, NOW)).to.deep.include({
      status: 'completed',
      processedAt: NOW,
      ocr: OCR,
      retries: 0,
      run: 'token',
    });
    expect(() => complete(processing, { ...OCR, pageCount: 0 }, NOW)).to.throw(TypeError);
  });

  it('can be processed again with all attempts', () => {
    expect(reprocess({ ...failed, attempts: 5, retries: 2, pageTries: { 3: 2 } }, NOW)).to.deep.include({
      status: 'queued',
      notBefore: NOW,
      attempts: 0,
      retries: 0,
      pageTries: {},
    });
  });

  it('does not count the attempt when it is released', () => {
    expect(release(processing, NOW)).to.include({ status: 'queued', notBefore: NOW, attempts: 0, retries: 0 });
  });

  it('is purged when its lease has expired', () => {
    const purgeAfter = (document: VisibleDocument): number => markDeleted(document, NOW).purgeAfter;
    expect([queued, completed, failed, processing].map(purgeAfter)).to.deep.equal([NOW, NOW, NOW, NOW + SECOND]);
  });

  it('is not purged before it was deleted, even if its lease had expired', () => {
    expect(markDeleted(processing, NOW + 5 * SECOND).purgeAfter).to.be.at.least(NOW + SECOND);
  });

  it('has the time when its processing ended only if it is completed or failed', () => {
    expect(inEveryStatus.map(processedAtOf)).to.deep.equal([
      undefined,
      undefined,
      NOW - SECOND,
      NOW - SECOND,
      undefined,
    ]);
  });
});

describe('a failure of the work', () => {
  const after = (document: ProcessingDocument, fault: WorkFault): QueuedDocument | FailedDocument =>
    afterFault(document, fault, NOW, RULES);
  const fault = (kind: WorkFault['class'], pageNumber?: number): WorkFault => ({
    class: kind,
    message: 'For the owner.',
    ...(pageNumber === undefined ? {} : { pageNumber }),
  });

  const classes: Readonly<Record<string, string>> = {
    SOURCE_MISSING: 'permanent',
    SOURCE_CHANGED: 'permanent',
    DOCUMENT_DAMAGED: 'permanent',
    DOCUMENT_ENCRYPTED: 'permanent',
    DOCUMENT_WITHOUT_PAGES: 'permanent',
    TOO_MANY_PAGES: 'permanent',
    TOO_MUCH_TEXT: 'permanent',
    PAGE_TOO_LARGE: 'permanent',
    PAGE_TIMED_OUT: 'over-limit',
    PAGE_OUT_OF_MEMORY: 'over-limit',
    DOCUMENT_TIMED_OUT: 'over-limit',
    SERVICE_UNAVAILABLE: 'infrastructure',
  };
  it('has the class of its code, and is a crash if it is unknown', () => {
    for (const code of errorCodes) expect(faultClass(new AppError(code, 'x')), code).to.equal(classes[code] ?? 'crash');
    for (const error of [
      new Error('x'),
      new TypeError('x'),
      undefined,
      null,
      'SERVICE_UNAVAILABLE',
      { code: 'SERVICE_UNAVAILABLE' },
    ]) {
      expect(faultClass(error)).to.equal('crash');
    }
  });

  it('that is permanent fails the document at once', () => {
    expect(after(processing, fault('permanent'))).to.include({
      status: 'failed',
      processedAt: NOW,
      errorMessage: 'For the owner.',
      attempts: 1,
    });
  });

  it('over a limit is retried once without delay, then fails the document', () => {
    const once = after(processing, fault('over-limit', 3));
    expect(once).to.deep.include({ status: 'queued', notBefore: NOW, pageTries: { 3: 1 }, attempts: 1 });
    const other = after({ ...processing, pageTries: once.pageTries }, fault('over-limit', 4));
    expect(other).to.deep.include({ status: 'queued', pageTries: { 3: 1, 4: 1 } });
    const twice = after({ ...processing, pageTries: other.pageTries }, fault('over-limit', 3));
    expect(twice).to.deep.include({ status: 'failed', pageTries: { 3: 2, 4: 1 }, errorMessage: 'For the owner.' });
    expect(after({ ...processing, attempts: 5 }, fault('over-limit', 3))).to.include({ status: 'failed' });
  });

  it('over a limit of the whole document is counted separately from those of its pages', () => {
    expect(after({ ...processing, pageTries: { 1: 1 } }, fault('over-limit'))).to.deep.include({
      status: 'queued',
      pageTries: { 0: 1, 1: 1 },
    });
    expect(after({ ...processing, pageTries: { 0: 1 } }, fault('over-limit'))).to.include({ status: 'failed' });
  });

  it('of the infrastructure is not counted as an attempt, and is retried with growing delays', () => {
    const delays: number[] = [];
    let document = processing;
    for (let i = 0; i < 1000; i++) {
      const next = after(document, fault('infrastructure'));
      expect(next).to.include({ status: 'queued', attempts: 0, retries: i + 1 });
      if (next.status === 'queued') delays.push((next.notBefore - NOW) / SECOND);
      document = { ...processing, attempts: 1, retries: next.retries };
    }
    expect(delays.slice(0, 8)).to.deep.equal([5, 10, 20, 40, 80, 160, 300, 300]);
    expect(new Set(delays.slice(6))).to.deep.equal(new Set([300]));
  });

  it('that is a crash counts the attempt and is retried with delays, until all attempts are used', () => {
    const outcomes = [1, 2, 3, 4, 5].map((attempts) => after({ ...processing, attempts }, fault('crash')));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['queued', 'queued', 'queued', 'queued', 'failed']);
    expect(outcomes.map((next) => next.status === 'queued' && (next.notBefore - NOW) / SECOND)).to.deep.equal([
      5,
      10,
      20,
      40,
      false,
    ]);
    expect(outcomes.map(({ attempts }) => attempts)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('is retried after 5 seconds to 5 minutes', () => {
    for (let retries = 0; retries < 2000; retries++) expect(backOffMs(retries)).to.be.within(5_000, 300_000);
  });
});
