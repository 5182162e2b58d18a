// Opens the counters at the same time as other processes, hits one key, and prints each count. The last argument is the
// number of hits. 25 hits run at the same time.
import { databaseOfArguments } from '../../../test/processes/database.ts';
import { waitForParent } from '../../../test/processes/wait-for-parent.ts';
import { openCounters } from './open-counters.ts';

const CONCURRENT_HITS = 25;

const [database, times] = databaseOfArguments();
await waitForParent();
const { rateCounters, close } = await openCounters(database, (error) => {
  throw error;
});
const hitOnce = async () => console.log((await rateCounters.hit('key', 3_600_000)).count);
for (let i = 0; i < Number(times); i += CONCURRENT_HITS)
  await Promise.all(Array.from({ length: CONCURRENT_HITS }, hitOnce));
await close();
