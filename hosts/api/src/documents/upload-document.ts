import { z } from 'zod';
import { uploadForm } from '../http/bodies/upload-form.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { idempotencyKey } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { anAcceptedDocument } from './document-examples.ts';
import { acceptedDocument, presentAccepted } from './document-schemas.ts';

const fields = z.object({
  title: z
    .string('one text of at most 300 characters')
    .optional()
    .meta({
      description:
        'A descriptive title of at most 300 characters. The default, also for a blank title, is the file name without its extension.',
      examples: ['Invoice of March'],
    }),
});

export const uploadDocument = defineEndpoint({
  method: 'post',
  path: '/v1/documents',
  tag: 'Documents',
  operationId: 'uploadDocument',
  summary: 'Upload a document',
  description:
    'Stores the file and answers at once. A worker extracts the text in the background. Poll the document until its status is `completed` or `failed`, or follow its events. The service accepts every file with the signature of a JPEG, PNG or PDF; if the rest of the file is broken, the document fails with an `error_message`.',
  request: {
    headers: z.object(idempotencyKey),
    body: uploadForm(
      fields,
      'A JPEG, PNG or PDF file of at most 25 MB (26,214,400 bytes). Its content decides the type, not its name.',
    ),
  },
  responses: { 200: json(acceptedDocument, 'The document is accepted.', anAcceptedDocument) },
  refusals: ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'],
  handler: async ({ headers, body: { file, fields: given }, actor, useCases }) => {
    const accepted = await useCases.uploadDocument({
      actor,
      file: file.received,
      filename: file.filename,
      key: headers['Idempotency-Key'],
      ...(given.title !== undefined && { title: given.title }),
    });
    return presentAccepted({ ...accepted, status: 'queued' });
  },
});
