import { exportFormats } from '@palimpsest/core';
import { exportAll, loadExporter } from './exporting.ts';
import { proseText } from './long-texts.ts';

// Runs one export: node first-export.ts docx|xlsx BYTES true|false. Prints the CPU time in microseconds of loading the
// library and of the first export.

const [name, bytes, formatted] = process.argv.slice(2);
const format = exportFormats.find((each) => each === name);
if (format === undefined) throw new TypeError(`Unknown format ${name}`);
const text = proseText(Number(bytes));

const begun = process.cpuUsage();
await exportAll(await loadExporter[format](), text, formatted === 'true');
const { user, system } = process.cpuUsage(begun);
console.log(user + system);
