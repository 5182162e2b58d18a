// Opens the counters at the same moment as others do, hits one key as often as it is told and prints each count.
import { toldToGo } from '../../sqlite/test/told-to-go.ts';
import { openInFile } from './limiter-folder.ts';

const [file = '', times = ''] = process.argv.slice(2);
await toldToGo();
const { rateCounters } = await openInFile(file, {
  onFault: (error) => {
    throw error;
  },
});
for (let i = 0; i < Number(times); i++) console.log((await rateCounters.hit('key', 3_600_000)).count);
// Nothing is closed: what still clears away must not keep the process alive.
