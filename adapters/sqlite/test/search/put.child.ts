// Puts a long text of one document again and again, each time with the next version. Prints each stored version.
import { aSearchEntry } from '@palimpsest/contract-tests';
import { openSqlite } from '@palimpsest/sqlite';

const [file = '', first = ''] = process.argv.slice(2);
const { searchIndex } = await openSqlite({ file });
for (let version = Number(first); ; version++) {
  const words = Array.from({ length: 40_000 }, (_, i) => `v${version}w${i}`);
  await searchIndex.put(
    aSearchEntry({ documentId: 'document-1', version, text: `version${version} ${words.join(' ')}` }),
  );
  console.log(version);
}
