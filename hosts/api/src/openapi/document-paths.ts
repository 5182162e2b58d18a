import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { acceptedDocument, documentDetail, documentList, searchResults } from '../schemas/document-responses.ts';
import { mediaType } from '../schemas/formats.ts';
import { pagingQuery, searchQuery, uploadFields } from '../schemas/requests.ts';
import { message } from '../schemas/service-responses.ts';
import { empty, file, json, jsonOneOf } from './answers.ts';
import { anAcceptedDocument, aSummary, documents, EVENTS, onePage } from './document-examples.ts';
import { headersOf } from './headers.ts';
import { idempotencyKey, ifNoneMatch, ifRange, lastEventId, ofDocument, range } from './parameters.ts';
import { refusals } from './refusals.ts';

const tags = ['Documents'];

const uploadForm = z.object({
  file: z.file().meta({
    description:
      'A JPEG, PNG or PDF file of at most 25 MB (26,214,400 bytes). What counts is its content, not its name.',
  }),
  ...uploadFields.shape,
});

/** The operations on whole documents. */
export const documentPaths: ZodOpenApiPathsObject = {
  '/v1/documents': {
    post: {
      tags,
      operationId: 'uploadDocument',
      summary: 'Upload a document',
      description:
        'Stores the file and answers at once; its text is read in the background. Poll the document until its status is `completed` or `failed`, or follow its events. A file with the signature of a JPEG, PNG or PDF is accepted; if the rest of it is broken, the document fails with an `error_message`.',
      requestParams: { header: z.object(idempotencyKey) },
      requestBody: { required: true, content: { 'multipart/form-data': { schema: uploadForm } } },
      responses: {
        '200': json(acceptedDocument, 'Accepted.', anAcceptedDocument),
        ...refusals(
          'INVALID_UPLOAD',
          'EMPTY_FILE',
          'VALIDATION_ERROR',
          'REQUEST_TIMEOUT',
          'IDEMPOTENCY_KEY_IN_USE',
          'FILE_TOO_LARGE',
          'UNSUPPORTED_FILE_TYPE',
          'UNSUPPORTED_MEDIA_TYPE',
          'IDEMPOTENCY_KEY_REUSED',
        ),
      },
    },
    get: {
      tags,
      operationId: 'listDocuments',
      summary: 'List documents',
      description: 'The documents of the account, newest first; those of the same moment by `id`, descending.',
      requestParams: { query: pagingQuery },
      responses: {
        '200': json(documentList, 'A page of the list.', { items: [aSummary], paging: onePage }),
        ...refusals('VALIDATION_ERROR'),
      },
    },
  },
  '/v1/documents/search': {
    get: {
      tags,
      operationId: 'searchDocuments',
      summary: 'Search documents',
      description:
        'Searches titles, current texts (the revision if there is one) and file names; best match first, then newest. Everything that can be written is a query: unbalanced quotes and lone signs are no errors.',
      requestParams: { query: searchQuery },
      responses: {
        '200': json(searchResults, 'A page of what was found.', {
          items: [
            {
              ...aSummary,
              snippet: {
                text: 'Invoice No. 4711 Net amount: 120.00',
                highlights: [
                  [0, 7],
                  [17, 27],
                ],
              },
            },
          ],
          paging: onePage,
        }),
        ...refusals('VALIDATION_ERROR'),
      },
    },
  },
  '/v1/documents/{id}': {
    get: {
      tags,
      operationId: 'getDocument',
      summary: 'Get a document',
      description: 'The document with its text, once that is read.',
      requestParams: { path: ofDocument, header: z.object(ifNoneMatch) },
      responses: {
        '200': jsonOneOf(documentDetail, 'The document.', documents, { always: ['ETag'] }),
        '304': empty('The version that is kept is still good.', { always: ['ETag'] }),
        ...refusals('DOCUMENT_NOT_FOUND'),
      },
    },
    delete: {
      tags,
      operationId: 'deleteDocument',
      summary: 'Delete a document',
      description: 'Deletes the document, its text with all revisions, and the stored file, in any status.',
      requestParams: { path: ofDocument },
      responses: { '204': empty('The document is gone.'), ...refusals('DOCUMENT_NOT_FOUND') },
    },
  },
  '/v1/documents/{id}/download': {
    get: {
      tags,
      operationId: 'downloadDocument',
      summary: 'Download the original file',
      description: 'The file as it was uploaded, byte for byte, or a part of it.',
      requestParams: { path: ofDocument, header: z.object({ ...range, ...ifRange, ...ifNoneMatch }) },
      responses: {
        '200': file(mediaType.options, 'The file.', {
          always: ['Content-Disposition', 'Content-Length', 'Accept-Ranges', 'ETag'],
        }),
        '206': file(mediaType.options, 'The bytes asked for.', {
          always: ['Content-Disposition', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'ETag'],
        }),
        '304': empty('The version that is kept is still good.', { always: ['ETag'] }),
        ...refusals('FILE_NOT_STORED', 'DOCUMENT_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'),
      },
    },
  },
  '/v1/documents/{id}/email': {
    post: {
      tags,
      operationId: 'emailDocument',
      summary: 'Send a document by e-mail',
      description:
        'Sends the document to the address of the account, with the original file attached and a preview of the current text. The mail goes out after the answer. There is no request body.\n\nLimit: 10 in a minute and 50 in an hour.',
      requestParams: { path: ofDocument, header: z.object(idempotencyKey) },
      responses: {
        '202': json(
          message,
          'Accepted.',
          { message: 'Document sent to your email.' },
          { sometimes: ['RateLimit-Policy', 'RateLimit'] },
        ),
        ...refusals(
          'VALIDATION_ERROR',
          'DOCUMENT_NOT_COMPLETED',
          'FILE_NOT_STORED',
          'DOCUMENT_NOT_FOUND',
          'IDEMPOTENCY_KEY_IN_USE',
          'IDEMPOTENCY_KEY_REUSED',
          'RATE_LIMITED',
        ),
      },
    },
  },
  '/v1/documents/{id}/reprocess': {
    post: {
      tags,
      operationId: 'reprocessDocument',
      summary: 'Read a failed document again',
      description: 'Puts a document whose status is `failed` back into the queue. There is no request body.',
      requestParams: { path: ofDocument },
      responses: {
        '202': json(acceptedDocument, 'Accepted.', anAcceptedDocument),
        ...refusals('DOCUMENT_NOT_FOUND', 'DOCUMENT_NOT_FAILED'),
      },
    },
  },
  '/v1/documents/{id}/events': {
    get: {
      tags,
      operationId: 'followDocument',
      summary: 'Follow the work on a document',
      description:
        'Server-sent events: one `status` event at once and one at each change. The stream ends after the event with the status `completed` or `failed`; who connects again with the `Last-Event-ID` of that one is answered 204, which tells a browser to stop. Lines that begin with a colon keep the connection alive. The stream ends too when the document is deleted, the session ends, or the service shuts down.\n\nLimit: 50 streams at once.',
      requestParams: { path: ofDocument, header: z.object(lastEventId) },
      responses: {
        '200': {
          description:
            'The stream. The `data` of each event is a `StatusEvent` as JSON; its `id` is the version of the document.',
          headers: headersOf(),
          content: {
            'text/event-stream': {
              schema: {
                type: 'string',
                description:
                  'Blocks of the lines `event: status`, `id` and `data`, parted by an empty line. `data` is a `StatusEvent`.',
                'x-event-data': { $ref: '#/components/schemas/StatusEvent' },
              },
              example: EVENTS,
            },
          },
        },
        '204': empty('The last event was received already.'),
        ...refusals('DOCUMENT_NOT_FOUND', 'RATE_LIMITED'),
      },
    },
  },
};
