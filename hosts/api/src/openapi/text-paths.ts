import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { changeList, pageList, revisionList, savedRevision, wordList } from '../schemas/document-responses.ts';
import { diffQuery, exportQuery, revision } from '../schemas/requests.ts';
import { empty, file, json, jsonBody } from './answers.ts';
import { anOcrResult, aRevisedResult } from './document-examples.ts';
import { ifMatch, ifNoneMatch, ofDocument, ofPage } from './parameters.ts';
import { ofJsonBody, refusals } from './refusals.ts';

const tags = ['Text'];

const OFFICE_TYPES = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

const REVISED = 'Invoice No. 4711\nNet amount: 120.00';
const REVISED_AT = '2026-11-21T10:02:40.000731+00:00';

/** The operations on the text of a document that is completed. */
export const textPaths: ZodOpenApiPathsObject = {
  '/v1/documents/{id}/ocr': {
    put: {
      tags,
      operationId: 'reviseText',
      summary: 'Save a revision of the text',
      description:
        'Stores a corrected text beside the original one, which never changes. Every revision is kept; exports, e-mails and the search use the newest. The JSON body may have up to 16 MiB.',
      requestParams: { path: ofDocument, header: z.object(ifMatch) },
      requestBody: jsonBody(revision, { revised_text: REVISED }),
      responses: {
        '200': json(savedRevision, 'Saved.', { ocr: aRevisedResult, message: 'Revision saved.' }, { always: ['ETag'] }),
        ...refusals(
          ...ofJsonBody,
          'DOCUMENT_NOT_COMPLETED',
          'OCR_RESULT_NOT_AVAILABLE',
          'DOCUMENT_NOT_FOUND',
          'REVISION_CONFLICT',
        ),
      },
    },
  },
  '/v1/documents/{id}/export': {
    get: {
      tags,
      operationId: 'exportDocument',
      summary: 'Export the text',
      description:
        'The current text (the revision if there is one) as a Word or Excel file. Excel gets one line of the text per row, with the number of its page.',
      requestParams: { path: ofDocument, query: exportQuery },
      responses: {
        '200': file(OFFICE_TYPES, 'The file.', { always: ['Content-Disposition'] }),
        ...refusals('VALIDATION_ERROR', 'DOCUMENT_NOT_COMPLETED', 'OCR_RESULT_NOT_AVAILABLE', 'DOCUMENT_NOT_FOUND'),
      },
    },
  },
  '/v1/documents/{id}/pages': {
    get: {
      tags,
      operationId: 'listPages',
      summary: 'List the pages',
      description: 'Each page with its original text and how it was read.',
      requestParams: { path: ofDocument },
      responses: {
        '200': json(pageList, 'All pages, by number.', {
          pages: [
            {
              number: 1,
              width: 2480,
              height: 3508,
              rotation: 0,
              confidence: 0.93,
              source: 'ocr',
              text: anOcrResult.text,
            },
          ],
        }),
        ...refusals('DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND'),
      },
    },
  },
  '/v1/documents/{id}/pages/{number}/words': {
    get: {
      tags,
      operationId: 'listWords',
      summary: 'List the words of a page',
      description: 'The words of the original text, in reading order, with their places on the page image.',
      requestParams: { path: ofPage },
      responses: {
        '200': json(wordList, 'All words of the page.', {
          words: [{ text: 'Invoice', confidence: 0.96, bbox: [212, 240, 398, 286] }],
        }),
        ...refusals('DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND', 'PAGE_NOT_FOUND'),
      },
    },
  },
  '/v1/documents/{id}/pages/{number}/image': {
    get: {
      tags,
      operationId: 'getPageImage',
      summary: 'Get the image of a page',
      description: 'The page as it was read, upright and in grey. The boxes of its words are in its pixels.',
      requestParams: { path: ofPage, header: z.object(ifNoneMatch) },
      responses: {
        '200': file(['image/png', 'image/webp'], 'The image.', {
          always: ['ETag'],
          sometimes: ['Content-Length'],
          mayBeKept: true,
        }),
        '304': empty('The image that is kept is still good.', { always: ['ETag'], mayBeKept: true }),
        ...refusals(
          'DOCUMENT_NOT_COMPLETED',
          'FILE_NOT_STORED',
          'DOCUMENT_NOT_FOUND',
          'PAGE_NOT_FOUND',
          'PAGE_NOT_RENDERABLE',
          'RATE_LIMITED',
        ),
      },
    },
  },
  '/v1/documents/{id}/searchable-pdf': {
    get: {
      tags,
      operationId: 'getSearchablePdf',
      summary: 'Get a searchable PDF',
      description:
        'The original pages with the original text upon them, invisible, so that it can be found, selected and copied where it stands.',
      requestParams: { path: ofDocument, header: z.object(ifNoneMatch) },
      responses: {
        '200': file(['application/pdf'], 'The file.', {
          always: ['Content-Disposition', 'ETag'],
          sometimes: ['Content-Length'],
        }),
        '304': empty('The file that is kept is still good.', { always: ['ETag'] }),
        ...refusals(
          'DOCUMENT_NOT_COMPLETED',
          'FILE_NOT_STORED',
          'DOCUMENT_NOT_FOUND',
          'PAGE_NOT_RENDERABLE',
          'RATE_LIMITED',
        ),
      },
    },
  },
  '/v1/documents/{id}/revisions': {
    get: {
      tags,
      operationId: 'listRevisions',
      summary: 'List the revisions',
      description: 'Every revision that was saved, newest first.',
      requestParams: { path: ofDocument },
      responses: {
        '200': json(revisionList, 'All revisions.', { items: [{ number: 1, revised_at: REVISED_AT, text: REVISED }] }),
        ...refusals('DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND'),
      },
    },
  },
  '/v1/documents/{id}/revisions/diff': {
    get: {
      tags,
      operationId: 'compareRevisions',
      summary: 'Compare two revisions',
      description:
        'What changed from one text to another, word by word; without parameters, from the original text to the newest revision.',
      requestParams: { path: ofDocument, query: diffQuery },
      responses: {
        '200': json(changeList, 'The changes, in the order of the text.', {
          changes: [
            { op: 'equal', text: 'Invoice No. ' },
            { op: 'delete', text: '47ll' },
            { op: 'insert', text: '4711' },
            { op: 'equal', text: '\nNet amount: 120.00' },
          ],
        }),
        ...refusals(
          'VALIDATION_ERROR',
          'DOCUMENT_NOT_COMPLETED',
          'OCR_RESULT_NOT_AVAILABLE',
          'DOCUMENT_NOT_FOUND',
          'REVISION_NOT_FOUND',
          'RATE_LIMITED',
        ),
      },
    },
  },
};
