// Begins keyed requests, spends account tokens, begins mails and appends revisions, and prints which calls succeeded.
import { openMongo } from '@palimpsest/mongodb';
import { toldToGo } from '../../../sqlite/test/told-to-go.ts';

const [url = '', count = ''] = process.argv.slice(2);
const { idempotency, accountTokens, mailLedger, revisions, close } = await openMongo({ url });
await toldToGo();
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
