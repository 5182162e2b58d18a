import {
  formatInstant,
  processedAtOf,
  type Account,
  type DocumentProgress,
  type OcrView,
  type Page,
  type PageRequest,
  type PageWithoutWords,
  type Revision,
  type SearchHit,
  type TextChange,
  type TokenPair,
  type VisibleDocument,
  type Word,
} from '@palimpsest/core';
import type {
  ChangeList,
  DocumentDetail,
  DocumentList,
  DocumentSummary,
  OcrResultObject,
  PageList,
  RevisionList,
  SearchResults,
  StatusEvent,
  WordList,
} from './schemas/document-responses.ts';
import type { AccountObject, Tokens } from './schemas/service-responses.ts';

// Each answer is an allow-list: exactly the fields that the interface shows, held by the schemas that the description of
// the API is made from.

const instantOrNull = (instant: number | undefined): string | null =>
  instant === undefined ? null : formatInstant(instant);

export const presentAccepted = (document: Pick<VisibleDocument, 'id' | 'status' | 'receivedAt'>) => ({
  document: { id: document.id, status: document.status, received_at: formatInstant(document.receivedAt) },
});

const presentSummary = (document: VisibleDocument): DocumentSummary => ({
  id: document.id,
  title: document.title,
  status: document.status,
  received_at: formatInstant(document.receivedAt),
  processed_at: instantOrNull(processedAtOf(document)),
});

export const presentList = (page: Page<VisibleDocument>, { limit, offset }: PageRequest): DocumentList => ({
  items: page.items.map(presentSummary),
  paging: { limit, offset, total: page.total },
});

export const presentOcr = ({ engine, language, text, revision }: OcrView): OcrResultObject => ({
  engine,
  language,
  text,
  revised_text: revision?.text ?? null,
  revised_at: instantOrNull(revision?.revisedAt),
});

export const presentDetail = (document: VisibleDocument, ocr: OcrView | undefined): DocumentDetail => ({
  document: presentSummary(document),
  original_filename: document.originalFilename,
  content_type: document.mediaType,
  error_message: document.status === 'failed' ? document.errorMessage : null,
  ocr: ocr === undefined ? null : presentOcr(ocr),
});

export const presentHit = ({ document, snippet: { text, highlights } }: SearchHit): SearchResults['items'][number] => ({
  ...presentSummary(document),
  snippet: { text, highlights },
});

export const presentPages = (pages: readonly PageWithoutWords[]): PageList => ({
  pages: pages.map(({ number, width, height, rotation, confidence, source, text }) => ({
    number,
    width,
    height,
    rotation,
    confidence,
    source,
    text,
  })),
});

export const presentWords = (words: readonly Word[]): WordList => ({
  words: words.map(({ text, confidence, bbox }) => ({ text, confidence, bbox })),
});

export const presentRevision = ({ number, revisedAt, text }: Revision): RevisionList['items'][number] => ({
  number,
  revised_at: formatInstant(revisedAt),
  text,
});

export const presentChange = ({ op, text }: TextChange): ChangeList['changes'][number] => ({ op, text });

export const presentProgress = ({ id, status, pagesDone, pagesTotal }: DocumentProgress): StatusEvent => ({
  id,
  status,
  pages_done: pagesDone,
  pages_total: pagesTotal ?? null,
});

export const presentTokens = ({ accessToken, refreshToken, expiresInS }: TokenPair): Tokens => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'Bearer',
  expires_in: expiresInS,
});

export const presentAccount = ({ id, email, emailVerified, createdAt }: Account): AccountObject => ({
  user: { id, email, email_verified: emailVerified, created_at: formatInstant(createdAt) },
});
