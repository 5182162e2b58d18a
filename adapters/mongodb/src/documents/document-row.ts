import type { Document, Instant } from '@palimpsest/core';

/** The fields of a document as they are stored. `pageTries` is a list of pairs, so that no input becomes a field name. */
type RecordOf<D extends Document> = D extends Document
  ? Omit<D, 'id' | 'pageTries'> & { readonly pageTries: readonly (readonly [page: string, tries: number])[] }
  : never;

export interface DocumentRow {
  readonly _id: string;
  readonly record: RecordOf<Document>;
  readonly listed: boolean; // the status is not `deleting`
  readonly waits: boolean; // `claimAt` exists
  readonly claimAt?: Instant; // a worker may claim the document from this time on; absent: never
  readonly addedBy: string; // the call that added the document
  readonly changedBy: string; // the call that changed the document last
}

/** The time from which a worker may claim the document; `undefined`: never. */
const claimAtOf = (document: Document): Instant | undefined => {
  if (document.status === 'queued') return document.notBefore;
  return document.status === 'processing' ? document.lease.expiresAt : undefined;
};

/** The stored fields that depend on the document only. */
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
