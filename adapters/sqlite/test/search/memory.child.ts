// Puts a text that needs more memory than a thread has, then a shorter text. Prints the results.
import { setFlagsFromString } from 'node:v8';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { openSqlite } from '@palimpsest/sqlite';

setFlagsFromString('--max-old-space-size=128'); // for threads that start later
const [file = ''] = process.argv.slice(2);
const { searchIndex, close } = await openSqlite({ file });
const resultOf = (put: Promise<void>): Promise<unknown> =>
  put.then(
    () => 'stored',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
// The text is built in pieces, so that this thread itself needs little memory.
const piece = (number: number): string => Array.from({ length: 10_000 }, (_, i) => number * 10_000 + i).join(' ');
const differentWords = Array.from({ length: 400 }, (_, number) => piece(number)).join(' ');
const long = resultOf(searchIndex.put(aSearchEntry({ documentId: 'long', text: differentWords })));
const next = resultOf(searchIndex.put(aSearchEntry({ documentId: 'next', text: 'word '.repeat(30_000) })));
console.log(`long: ${String(await long)}, next: ${String(await next)}`);
console.log(
  `long: ${String(await searchIndex.versionOf('long'))}, next: ${String(await searchIndex.versionOf('next'))}`,
);
await close();
