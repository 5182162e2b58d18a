// Hits one key until it is killed, and prints each count.
import { openInFile } from './limiter-folder.ts';

const [file = ''] = process.argv.slice(2);
const { rateCounters } = await openInFile(file);
for (;;) {
  const { count } = await rateCounters.hit('key', 3_600_000);
  await new Promise((resolve) => process.stdout.write(`${count}\n`, resolve));
}
