// Begins keyed requests, spends mailed tokens and begins mails, and prints the successful ones.
import { openSqlite } from '@palimpsest/sqlite';
import { toldToGo } from '../told-to-go.ts';

const [file = '', count = ''] = process.argv.slice(2);
const { idempotency, accountTokens, mailLedger, close } = await openSqlite({ file });
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
}
await close();
