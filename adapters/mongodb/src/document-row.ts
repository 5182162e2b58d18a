import type { Document, Instant } from '@palimpsest/core';

/** A document as it is stored. What is counted by page is pairs, so that no text from outside names a field. */
type RecordOf<D extends Document> = D extends Document
  ? Omit<D, 'id' | 'pageTries'> & { readonly pageTries: readonly (readonly [page: string, tries: number])[] }
  : never;

export interface DocumentRow {
  readonly _id: string;
  readonly record: RecordOf<Document>;
  readonly listed: boolean; // not `deleting`
  readonly waits: boolean; // may be claimed, now or later
  readonly claimAt?: Instant; // from when it may be claimed; absent: never
  readonly turn?: number; // in which the owner was served by this document's claim, until the owner's record says so
  readonly addedBy: string; // the call that added the document
  readonly changedBy: string; // the call that changed it last
}

/** When the document may be claimed, `undefined` if never. */
const claimAtOf = (document: Document): Instant | undefined => {
  if (document.status === 'queued') return document.notBefore;
  return document.status === 'processing' ? document.lease.expiresAt : undefined;
};

/** What is stored of a document but for its id and whose doing it is. */
export const fieldsOf = (document: Document): Pick<DocumentRow, 'record' | 'listed' | 'waits' | 'claimAt'> => {
  const { id: _, pageTries, ...record } = document;
  const claimAt = claimAtOf(document);
  return {
    record: { ...record, pageTries: Object.entries(pageTries) },
    listed: document.status !== 'deleting',
    waits: claimAt !== undefined,
    ...(claimAt === undefined ? {} : { claimAt }),
  };
};

export const documentOf = ({ _id, record }: Pick<DocumentRow, '_id' | 'record'>): Document => ({
  ...record,
  id: _id,
  pageTries: Object.fromEntries(record.pageTries),
});
