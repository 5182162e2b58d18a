// Stores and claims documents with pages and revisions in an endless loop. Prints the id of each document that is complete.
import { randomUUID } from 'node:crypto';
import { aDocument, aPage } from '@palimpsest/contract-tests';
import { claim, defaultWorkRules } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';

const [url = '', now = ''] = process.argv.slice(2);
const { documents, pages, revisions } = await openMongo({ url });
for (;;) {
  const document = aDocument({ id: randomUUID(), ownerId: `owner ${process.pid}` });
  const { id } = document;
  await documents.add(document);
  await documents.replace(claim(document, 'run', Number(now), defaultWorkRules));
  await pages.put(id, 'earlier run', aPage({ text: 'replaced' }));
  await pages.put(id, 'earlier run', aPage({ text: `text of ${id}` }));
  await pages.adopt(id, 'run');
  await pages.removeOthers(id, 'run');
  await revisions.append(id, { revisedAt: 1, text: `revision of ${id}` });
  console.log(id);
}
