// Puts ever higher versions of one document with long texts, and prints each version when its put is over.
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
