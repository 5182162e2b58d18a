import { z } from 'zod';
import { count, documentId, documentStatus, mediaType, timestamp, type Answer } from './formats.ts';

// What is answered about documents: strict objects, as each answer has exactly the keys that are shown here.

const title = z.string().meta({
  description: 'As given at the upload, or the file name without its extension.',
  examples: ['Invoice of March'],
});

const processedAt = timestamp.nullable().meta({ description: 'When processing ended; null until then.' });

export const acceptedDocument = z
  .strictObject({
    document: z.strictObject({
      id: documentId,
      status: documentStatus,
      received_at: timestamp.meta({ description: 'When the upload was received.' }),
    }),
  })
  .meta({ id: 'AcceptedDocument' });

export const documentSummary = z
  .strictObject({
    id: documentId,
    title,
    status: documentStatus,
    received_at: timestamp.meta({ description: 'When the upload was received.' }),
    processed_at: processedAt,
  })
  .meta({ id: 'DocumentSummary' });

export const paging = z
  .strictObject({
    limit: z
      .int()
      .min(1)
      .max(200)
      .meta({ description: 'The page size that was applied.', examples: [50] }),
    offset: count.meta({ description: 'How many items were skipped.', examples: [0] }),
    total: count.meta({ description: 'How many items there are in all.', examples: [1] }),
  })
  .meta({ id: 'Paging' });

export const documentList = z.strictObject({ items: z.array(documentSummary), paging }).meta({ id: 'DocumentList' });

export const ocrResult = z
  .strictObject({
    engine: z.string().meta({
      description:
        'What read the text: `tesseract`, `tesseract.js`, or `pdf-text` where the text layer of a PDF was used on every page. Others may come.',
      examples: ['tesseract'],
    }),
    language: z
      .string()
      .meta({ description: 'The languages it was read in, as Tesseract names them.', examples: ['eng', 'eng+deu'] }),
    text: z.string().meta({
      description: 'The original text. It never changes. Pages are parted by a form feed (`\\f`).',
      examples: ['Invoice No. 47ll\nNet amount: 120.00'],
    }),
    revised_text: z
      .string()
      .nullable()
      .meta({
        description: 'The newest revision; null until one is saved.',
        examples: ['Invoice No. 4711\nNet amount: 120.00', null],
      }),
    revised_at: timestamp.nullable().meta({ description: 'When the newest revision was saved; null until one is.' }),
  })
  .meta({ id: 'OcrResult' });

export const documentDetail = z
  .strictObject({
    document: documentSummary,
    original_filename: z.string().meta({
      description: 'The name of the uploaded file, cleaned: without a path, control or direction characters.',
      examples: ['invoice-march.pdf'],
    }),
    content_type: mediaType,
    error_message: z
      .string()
      .nullable()
      .meta({
        description:
          'Why the document could not be read, in a sentence for its owner, if its status is `failed`; null otherwise.',
        examples: [null, 'The PDF is protected by a password. Remove the protection and upload it again.'],
      }),
    ocr: ocrResult.nullable().meta({ description: 'Null until the status is `completed`.' }),
  })
  .meta({ id: 'DocumentDetail' });

export const savedRevision = z
  .strictObject({ ocr: ocrResult, message: z.literal('Revision saved.') })
  .meta({ id: 'SavedRevision' });

const highlight = z.array(count).length(2).meta({
  description: 'The start and the end (exclusive) of one match, in UTF-16 code units.',
});

export const searchResults = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          ...documentSummary.shape,
          snippet: z.strictObject({
            text: z.string().meta({
              description: 'The part of the document around the best match.',
              examples: ['Net amount: 120.00'],
            }),
            highlights: z.array(highlight).meta({
              description: 'Where the matches stand in it.',
              examples: [
                [
                  [0, 3],
                  [4, 10],
                ],
              ],
            }),
          }),
        })
        .meta({ id: 'SearchResult' }),
    ),
    paging,
  })
  .meta({ id: 'SearchResults' });

const confidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'From 0 to 1.', examples: [0.93] });

export const pageList = z
  .strictObject({
    pages: z.array(
      z
        .strictObject({
          number: z
            .int()
            .min(1)
            .meta({ description: 'From 1.', examples: [1] }),
          width: z
            .int()
            .min(1)
            .meta({ description: 'Of the upright page image, in pixels.', examples: [2480] }),
          height: z
            .int()
            .min(1)
            .meta({ description: 'Of the upright page image, in pixels.', examples: [3508] }),
          rotation: z.literal([0, 90, 180, 270]).meta({
            description: 'By how many degrees the stored page was turned clockwise to stand upright.',
            examples: [0],
          }),
          confidence: confidence.meta({ description: 'The mean over the words, from 0 to 1; 0 where there is none.' }),
          source: z
            .enum(['ocr', 'text_layer'])
            .meta({ description: 'Whether the text was recognised, or taken from the text layer of the PDF.' }),
          text: z.string().meta({
            description: 'The original text of the page.',
            examples: ['Invoice No. 47ll\nNet amount: 120.00'],
          }),
        })
        .meta({ id: 'Page' }),
    ),
  })
  .meta({ id: 'PageList' });

export const wordList = z
  .strictObject({
    words: z.array(
      z
        .strictObject({
          text: z.string().meta({ examples: ['Invoice'] }),
          confidence,
          bbox: z
            .array(z.number())
            .length(4)
            .meta({
              description:
                'Left, top, right and bottom in pixels of the page image, from its top left corner; right and bottom are exclusive.',
              examples: [[212, 240, 398, 286]],
            }),
        })
        .meta({ id: 'Word' }),
    ),
  })
  .meta({ id: 'WordList' });

export const revisionList = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          number: z
            .int()
            .min(1)
            .meta({ description: 'From 1, without gaps.', examples: [1] }),
          revised_at: timestamp.meta({ description: 'When it was saved.' }),
          text: z.string().meta({ examples: ['Invoice No. 4711\nNet amount: 120.00'] }),
        })
        .meta({ id: 'Revision' }),
    ),
  })
  .meta({ id: 'RevisionList' });

export const changeList = z
  .strictObject({
    changes: z.array(
      z
        .strictObject({
          op: z.enum(['equal', 'insert', 'delete']),
          text: z
            .string()
            .min(1)
            .meta({ examples: ['4711'] }),
        })
        .meta({
          id: 'Change',
          description:
            'A piece of text. Those of `equal` and `delete` together are the one text, those of `equal` and `insert` the other.',
        }),
    ),
  })
  .meta({ id: 'ChangeList' });

export const statusEvent = z
  .strictObject({
    id: documentId,
    status: documentStatus,
    pages_done: count.meta({ description: 'How many pages are read.', examples: [3] }),
    pages_total: count
      .nullable()
      .meta({ description: 'How many pages there are; null until that is known.', examples: [12, null] }),
  })
  .meta({ id: 'StatusEvent', description: 'The data of an event `status`.' });

export type AcceptedDocument = Answer<typeof acceptedDocument>;
export type DocumentSummary = Answer<typeof documentSummary>;
export type DocumentList = Answer<typeof documentList>;
export type DocumentDetail = Answer<typeof documentDetail>;
export type OcrResultObject = Answer<typeof ocrResult>;
export type SearchResults = Answer<typeof searchResults>;
export type PageList = Answer<typeof pageList>;
export type WordList = Answer<typeof wordList>;
export type RevisionList = Answer<typeof revisionList>;
export type ChangeList = Answer<typeof changeList>;
export type StatusEvent = Answer<typeof statusEvent>;
