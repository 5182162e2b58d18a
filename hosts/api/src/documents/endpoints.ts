import type { Endpoint } from '../http/endpoint.ts';
import { deleteDocument } from './delete-document.ts';
import { downloadDocument } from './download-document.ts';
import { emailDocument } from './email-document.ts';
import { followDocument } from './follow-document.ts';
import { getDocument } from './get-document.ts';
import { listDocuments } from './list-documents.ts';
import { reprocessDocument } from './reprocess-document.ts';
import { searchDocuments } from './search-documents.ts';
import { uploadDocument } from './upload-document.ts';

export const documentEndpoints: readonly Endpoint[] = [
  uploadDocument,
  listDocuments,
  searchDocuments,
  getDocument,
  deleteDocument,
  downloadDocument,
  emailDocument,
  reprocessDocument,
  followDocument,
];
