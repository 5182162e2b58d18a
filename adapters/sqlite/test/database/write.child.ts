// Stores documents with a page and a revision in an endless loop. Prints the id of each document that is complete.
import { randomUUID } from 'node:crypto';
import { acceptDocument } from '@palimpsest/core';
import { openSqlite } from '@palimpsest/sqlite';

const [file = ''] = process.argv.slice(2);
const { documents, pages, revisions } = await openSqlite({ file });
const words = Array.from({ length: 200 }, (_, i) => ({
  text: `w${i}`,
  confidence: 0.5,
  bbox: [i, 0, i + 1, 1] as const,
  line: 0,
  block: 0,
}));
for (;;) {
  const id = randomUUID();
  await documents.add(
    acceptDocument({
      id,
      ownerId: 'owner',
      title: 'A title',
      originalFilename: 'a.pdf',
      mediaType: 'application/pdf',
      byteSize: 1,
      sha256: '0'.repeat(64),
      blobKey: `documents/${id}`,
      receivedAt: 1_000,
    }),
  );
  await pages.put(id, 'run', {
    number: 1,
    width: 10,
    height: 10,
    rotation: 0,
    source: 'ocr',
    engine: 'engine',
    language: 'eng',
    text: `text of ${id}`,
    confidence: 0.5,
    words,
  });
  await revisions.append(id, { revisedAt: 1, text: `revision of ${id}` });
  console.log(id);
}
