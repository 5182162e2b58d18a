// Opens the database when it is told to, stores a document and prints its id.
import { aDocument } from '@palimpsest/contract-tests';
import { openMongo } from '@palimpsest/mongodb';
import { randomUUID } from 'node:crypto';
import { toldToGo } from '../../sqlite/test/told-to-go.ts';

const [url = ''] = process.argv.slice(2);
await toldToGo();
const { documents, close } = await openMongo({ url });
const id = randomUUID();
await documents.add(aDocument({ id }));
await close();
console.log(id);
