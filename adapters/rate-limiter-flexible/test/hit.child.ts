// Opens the counters at the same moment as other processes, hits one key as often as the argument says, 25 hits
// concurrently, and prints each count.
import { toldToGo } from '../../sqlite/test/told-to-go.ts';
import { openIn } from './open-in.ts';

const CONCURRENT_HITS = 25;

const [kind = '', location = '', times = ''] = process.argv.slice(2);
await toldToGo();
const { rateCounters, close } = await openIn(kind, location, (error) => {
  throw error;
});
const hitOnce = async () => console.log((await rateCounters.hit('key', 3_600_000)).count);
for (let i = 0; i < Number(times); i += CONCURRENT_HITS)
  await Promise.all(Array.from({ length: CONCURRENT_HITS }, hitOnce));
await close();
