// Claims documents with `replace` until there are none, and prints the ids of the claimed ones.
import { randomUUID } from 'node:crypto';
import { claim, defaultWorkRules } from '@palimpsest/core';
import { openSqlite } from '@palimpsest/sqlite';
import { toldToGo } from '../told-to-go.ts';

const [file = '', now = ''] = process.argv.slice(2);
const { documents, close } = await openSqlite({ file });
await toldToGo();
for (;;) {
  const next = await documents.nextClaimable(Number(now));
  if (next === undefined) break;
  if (await documents.replace(claim(next, randomUUID(), Number(now), defaultWorkRules))) console.log(next.id);
}
await close();
