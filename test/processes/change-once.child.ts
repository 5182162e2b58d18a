// Begins keyed requests, spends account tokens, begins mails and appends revisions, and prints which calls succeeded.
import { databaseOfArguments, openStores } from './database.ts';
import { waitForParent } from './wait-for-parent.ts';

const [database, count] = databaseOfArguments();
const { idempotency, accountTokens, mailLedger, revisions, close } = await openStores(database);
await waitForParent();
for (let i = 0; i < Number(count); i++) {
  const request = {
    accountId: 'account',
    key: `key ${i}`,
    fingerprint: 'upload',
    resourceId: `of ${process.pid}`,
    heldUntil: 100,
    expiresAt: 1000,
  };
  if ((await idempotency.begin(request, 1)).kind === 'begun') console.log(`key ${i}`);
  if (await accountTokens.spend(`digest ${i}`, 'reset-password')) console.log(`token ${i}`);
  console.log(`mail ${i} ${(await mailLedger.begin(`mail ${i}`, 1)).attempts}`);
  console.log(`revision ${(await revisions.append('document', { revisedAt: 1, text: 'text' })).number}`);
}
await close();
