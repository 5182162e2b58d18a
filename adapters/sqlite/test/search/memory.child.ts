// Puts a text that is too long for the memory of a thread, then one that is not, and prints what became of them.
import { setFlagsFromString } from 'node:v8';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { openSqlite } from '@palimpsest/sqlite';

setFlagsFromString('--max-old-space-size=128');
const [file = ''] = process.argv.slice(2);
const { searchIndex, close } = await openSqlite({ file });
const outcome = (put: Promise<void>): Promise<unknown> =>
  put.then(
    () => 'stored',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
const long = outcome(searchIndex.put(aSearchEntry({ documentId: 'long', text: 'a b '.repeat(8_000_000) })));
const next = outcome(searchIndex.put(aSearchEntry({ documentId: 'next', text: 'word '.repeat(30_000) })));
console.log(`long: ${String(await long)}, next: ${String(await next)}`);
console.log(
  `long: ${String(await searchIndex.versionOf('long'))}, next: ${String(await searchIndex.versionOf('next'))}`,
);
await close();
