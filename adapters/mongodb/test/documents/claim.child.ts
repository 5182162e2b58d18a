// Claims documents until none is due, and prints the ids of the claimed documents.
import { randomUUID } from 'node:crypto';
import { claim, defaultWorkRules } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { toldToGo } from '../../../sqlite/test/told-to-go.ts';

const [url = '', now = ''] = process.argv.slice(2);
const { documents, close } = await openMongo({ url });
await toldToGo();
for (;;) {
  const next = await documents.nextClaimable(Number(now));
  if (next === undefined) break;
  if (await documents.replace(claim(next, randomUUID(), Number(now), defaultWorkRules))) console.log(next.id);
}
await close();
