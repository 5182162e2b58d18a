// Opens a database at the same time as other processes, stores a document and prints its id.
import { randomUUID } from 'node:crypto';
import { aDocument } from '@palimpsest/contract-tests';
import { databaseOfArguments, openStores } from './database.ts';
import { waitForParent } from './wait-for-parent.ts';

const [database] = databaseOfArguments();
await waitForParent();
const { documents, close } = await openStores(database);
const id = randomUUID();
await documents.add(aDocument({ id }));
await close();
console.log(id);
