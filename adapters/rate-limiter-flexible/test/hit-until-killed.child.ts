// Hits one key until the process is killed, and prints each count.
import { openIn } from './open-in.ts';

const [kind = '', location = ''] = process.argv.slice(2);
const { rateCounters } = await openIn(kind, location);
for (;;) {
  const { count } = await rateCounters.hit('key', 3_600_000);
  await new Promise((resolve) => process.stdout.write(`${count}\n`, resolve));
}
