import type { DocumentRepository } from '@palimpsest/core';
import { describeDocumentClaims } from './claims.ts';
import { describeDocumentLists } from './lists.ts';
import { describeDocumentRecords } from './records.ts';
import { describeFaults } from '../kit/fault-cases.ts';
import { openForEach, type Open, type Without } from '../kit/harness.ts';
import { documentFaultCases } from './faults.ts';
import { describeWithTimeout } from '../kit/runner.ts';

/** Tests every promise of `DocumentRepository`. */
export const describeDocumentRepository = (name: string, open: Open<DocumentRepository>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a DocumentRepository`, 30_000, () => {
    describeDocumentRecords(open, without);
    describeDocumentLists(open);
    describeDocumentClaims(open, without);
    describe('connection', () => describeFaults(openForEach(open), without, (subject) => subject, documentFaultCases));
  });
