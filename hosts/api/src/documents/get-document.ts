import type { OcrView, VisibleDocument } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { ifNoneMatch, mediaType, type Answer } from '../http/openapi/formats.ts';
import { jsonWithExamples, notModified } from '../http/openapi/responses.ts';
import { anOcrResult, aRevisedResult, ocrResult, presentOcr } from '../texts/ocr-result.ts';
import { aSummary } from './document-examples.ts';
import { documentPath, documentSummary, presentSummary } from './document-schemas.ts';

const ENCRYPTED = 'The PDF is protected by a password. Remove the protection and upload it again.';

const documentDetail = z
  .strictObject({
    document: documentSummary,
    original_filename: z.string().meta({
      description: 'The name of the uploaded file, without path, control characters and bidi characters.',
      examples: ['invoice-march.pdf'],
    }),
    content_type: mediaType,
    error_message: z
      .string()
      .nullable()
      .meta({
        description:
          'If the status is `failed`: the reason, as a sentence for the owner of the document. Otherwise null.',
        examples: [null, ENCRYPTED],
      }),
    ocr: ocrResult.nullable().meta({ description: 'Null until the status is `completed`.' }),
  })
  .meta({ id: 'DocumentDetail' });

const presentDetail = (document: VisibleDocument, ocr: OcrView | undefined): Answer<typeof documentDetail> => ({
  document: presentSummary(document),
  original_filename: document.originalFilename,
  content_type: document.mediaType,
  error_message: document.status === 'failed' ? document.errorMessage : null,
  ocr: ocr === undefined ? null : presentOcr(ocr),
});

const completed: z.infer<typeof documentDetail> = {
  document: aSummary,
  original_filename: 'invoice-march.pdf',
  content_type: 'application/pdf',
  error_message: null,
  ocr: anOcrResult,
};

const examples = {
  completed: { summary: 'Completed, without a revision', value: completed },
  revised: { summary: 'Completed, with a revision', value: { ...completed, ocr: aRevisedResult } },
  processing: {
    summary: 'Processing',
    value: { ...completed, document: { ...aSummary, status: 'processing' as const, processed_at: null }, ocr: null },
  },
  failed: {
    summary: 'Failed',
    value: {
      ...completed,
      document: { ...aSummary, status: 'failed' as const },
      error_message: ENCRYPTED,
      ocr: null,
    },
  },
};

export const getDocument = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}',
  tag: 'Documents',
  operationId: 'getDocument',
  summary: 'Get a document',
  description: 'The document, with its text when processing is completed.',
  request: { path: documentPath, headers: z.object(ifNoneMatch) },
  responses: {
    200: jsonWithExamples(documentDetail, 'The document.', examples, { always: ['ETag'] }),
    304: notModified(),
  },
  refusals: ['DOCUMENT_NOT_FOUND'],
  handler: async ({ path: { id }, actor, useCases, req, res }) => {
    const { document, ocr, version } = await useCases.getDocument(actor, id);
    return isNotModified(req, res, version) ? undefined : presentDetail(document, ocr);
  },
});
