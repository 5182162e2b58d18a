import { batch } from './batch.ts';
import { figureLine, isOver, type Bench } from './bench.ts';
import { downloadMemory } from './download-memory.ts';
import { exportText } from './export-text.ts';
import { listDocuments } from './list-documents.ts';
import { nativeRecognition } from './native-recognition.ts';
import { pageImage } from './page-image.ts';
import { searchDocuments } from './search-documents.ts';

// npm run bench [-- name ...]: runs all benchmarks, or the named ones. Exits with status 1 if a figure exceeds its limit.

const benches: readonly Bench[] = [
  listDocuments,
  searchDocuments,
  exportText,
  downloadMemory,
  pageImage,
  nativeRecognition,
  batch,
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark ${unknown.join(', ')}. The benchmarks are ${benches.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

// Exit through the handlers that remove the generated data.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

let over = 0;
for (const bench of benches.filter(({ name }) => names.length === 0 || names.includes(name))) {
  for (const figure of await bench.measure()) {
    console.log(figureLine(bench.name, figure));
    if (isOver(figure)) over++;
  }
}
process.exitCode = over > 0 ? 1 : 0;
