import type { DocumentRepository } from '@palimpsest/core';
import { describeDocumentClaims } from './document-repository-claims.ts';
import { describeDocumentLists } from './document-repository-lists.ts';
import { describeDocumentRecords } from './document-repository-records.ts';
import type { Open, Without } from './harness.ts';

/** What every `DocumentRepository` promises. */
export const describeDocumentRepository = (
  name: string,
  open: Open<DocumentRepository>,
  without: Without = {},
): void =>
  void describe(`${name}, a DocumentRepository`, function () {
    this.timeout(30_000);
    describeDocumentRecords(open, without);
    describeDocumentLists(open);
    describeDocumentClaims(open, without);
  });
