// Opens the database at the same moment as other processes, stores a document and prints its id.
import { randomUUID } from 'node:crypto';
import { openSqlite } from '@palimpsest/sqlite';
import { aQueuedDocument } from '../documents.ts';
import { toldToGo } from '../told-to-go.ts';

const [file = ''] = process.argv.slice(2);
await toldToGo();
const { documents, close } = await openSqlite({ file });
const id = randomUUID();
await documents.add(aQueuedDocument({ id }));
await close();
console.log(id);
