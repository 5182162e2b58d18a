import type { DocumentRepository } from '@palimpsest/core';
import { describeDocumentClaims } from './document-repository-claims.ts';
import { describeDocumentLists } from './document-repository-lists.ts';
import { describeDocumentRecords } from './document-repository-records.ts';
import { describeFaults } from './fault-cases.ts';
import { openForEach, type Open, type Without } from './harness.ts';
import { documentFaultCases } from './record-fault-cases.ts';
import { describePatiently } from './runner.ts';

/** What every `DocumentRepository` promises. */
export const describeDocumentRepository = (name: string, open: Open<DocumentRepository>, without: Without = {}): void =>
  describePatiently(`${name}, a DocumentRepository`, 30_000, () => {
    describeDocumentRecords(open, without);
    describeDocumentLists(open);
    describeDocumentClaims(open, without);
    describe('a connection', () =>
      describeFaults(openForEach(open), without, (subject) => subject, documentFaultCases));
  });
