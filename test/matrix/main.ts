import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contractFiles, filesInvolving, ports } from './files.ts';
import { runTests } from './run.ts';
import { asJson, markdownTable, plainTable } from './table.ts';

/**
 * Runs the contract suites of all adapters on all available backends and prints a table. `--involving mongodb,gcs` runs
 * only the suites of these services: contract suites and other tests, or one `--part` (`contracts` or `others`).
 * `--json FILE` writes the figures, `--markdown FILE` appends the table.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    markdown: { type: 'string' },
    involving: { type: 'string' },
    part: { type: 'string' },
  },
});

const root = resolve(import.meta.dirname, '../..');
const services = values.involving?.split(',');
const part = values.part ?? (services === undefined ? 'contracts' : 'all');
if (part !== 'contracts' && part !== 'others' && part !== 'all')
  throw new TypeError(`Unknown part "${part}". The parts are contracts, others and all`);
const files = services === undefined ? contractFiles(root) : filesInvolving(root, services);
if (services === undefined) process.env['LIST_LEFT_OUT'] = '1'; // lists untested adapters in the table too

const rows = await runTests({ root, files, ports, part, ...(services && { services }) });
process.stdout.write(plainTable(rows));
if (values.json !== undefined) await writeFile(values.json, asJson(rows));
if (values.markdown !== undefined) await appendFile(values.markdown, markdownTable(rows));

const { passed, failed } = rows.totals();
if (passed === 0) console.error('No test passed.');
if (failed > 0 || passed === 0) process.exitCode = 1;
if (rows.isAborted) {
  console.error('The run was aborted.');
  process.exit(1); // does not wait for the interrupted test
}
