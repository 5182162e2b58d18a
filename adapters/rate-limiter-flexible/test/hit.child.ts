// Opens the counters at the same moment as others do, hits one key as often as it is told, 25 times at once, and prints each count.
import { toldToGo } from '../../sqlite/test/told-to-go.ts';
import { openIn } from './open-in.ts';

const AT_ONCE = 25;

const [kind = '', location = '', times = ''] = process.argv.slice(2);
await toldToGo();
const { rateCounters, close } = await openIn(kind, location, (error) => {
  throw error;
});
const hitOnce = async () => console.log((await rateCounters.hit('key', 3_600_000)).count);
for (let i = 0; i < Number(times); i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, hitOnce));
await close();
