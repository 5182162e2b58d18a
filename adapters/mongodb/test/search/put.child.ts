// Puts the entries on the standard input, one JSON object per line. Prints the version of each stored entry.
import { createInterface } from 'node:readline';
import type { SearchEntry } from '@palimpsest/core';
import { connectDatabase } from '@palimpsest/mongodb';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';

const [url = ''] = process.argv.slice(2);
const database = await connectDatabase(url);
const index = new MongoSearchIndex(database);
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { repeated, times, ...entry }: SearchEntry & { readonly repeated: string; readonly times: number } =
    JSON.parse(line);
  await index.put({ ...entry, text: `${entry.text} ${repeated.repeat(times)}` });
  console.log(entry.version);
}
await database.close();
