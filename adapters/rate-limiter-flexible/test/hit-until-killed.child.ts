// Hits one key until the process is killed, and prints each count.
import { databaseOfArguments } from '../../../test/processes/database.ts';
import { openCounters } from './open-counters.ts';

const [database] = databaseOfArguments();
const { rateCounters } = await openCounters(database);
for (;;) {
  const { count } = await rateCounters.hit('key', 3_600_000);
  await new Promise((resolve) => process.stdout.write(`${count}\n`, resolve));
}
