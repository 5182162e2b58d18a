// Claims documents until none is due, and prints the ids of the claimed documents.
import { randomUUID } from 'node:crypto';
import { claim, defaultWorkRules } from '@palimpsest/core';
import { databaseOfArguments, openStores } from './database.ts';
import { waitForParent } from './wait-for-parent.ts';

const [database, now] = databaseOfArguments();
const { documents, close } = await openStores(database);
await waitForParent();
for (;;) {
  const next = await documents.nextClaimable(Number(now));
  if (next === undefined) break;
  if (await documents.replace(claim(next, randomUUID(), Number(now), defaultWorkRules))) console.log(next.id);
}
await close();
