import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportFormats, type DocumentExporter, type ExportFormat } from '@palimpsest/core';
import { unzipSync } from 'fflate';
import type { Bench, Figure } from './bench.ts';
import { exportAll, loadExporter } from './exporting.ts';
import { LAST_LINE, proseText, shortLines } from './long-texts.ts';
import { measureCost, median, toOneSecond } from './ratio.ts';

const MIB = 1024 * 1024;
const COLD_RUNS = 3;

const run = promisify(execFile);

const styleOf = (formatted: boolean): string => (formatted ? 'formatted' : 'unformatted');
const lineCount = (text: string): string => `${text.split(/[\n\f]/).length} lines`;

/** Throws unless the exported file contains the whole text. */
const checkExport = async (exporter: DocumentExporter, text: string, formatted: boolean): Promise<void> => {
  const pieces: Uint8Array[] = [];
  await exportAll(exporter, text, formatted, (piece) => void pieces.push(piece));
  const parts = Object.values(unzipSync(Buffer.concat(pieces)));
  const isWhole = parts.some((part) => part.length > text.length && Buffer.from(part).includes(LAST_LINE));
  if (!isWhole) throw new Error(`The ${exporter.format} does not contain the end of the text`);
};

/** The median cost of a first export. Each runs in a new process. */
const coldMicros = async (format: ExportFormat, formatted: boolean): Promise<number> => {
  const costs: number[] = [];
  for (let i = 0; i < COLD_RUNS; i++) {
    const program = [...process.execArgv, join(import.meta.dirname, 'first-export.ts')];
    const { stdout } = await run(process.execPath, [...program, format, String(MIB), String(formatted)]);
    costs.push(Number(stdout));
  }
  return median(costs);
};

/** The export of 1 MiB of text takes less than one second of CPU time, also as the first export of a process. */
export const exportText: Bench = {
  name: 'export-text',
  measure: async () => {
    const [prose, short] = [proseText(MIB), shortLines(MIB)];
    const figures: Figure[] = [];
    for (const format of exportFormats) {
      const exporter = await loadExporter[format]();
      for (const formatted of [false, true]) {
        const figure = (what: string, micros: number, limit?: number): void => {
          const bounds = limit === undefined ? {} : { limit };
          figures.push({
            what: `CPU time of 1 MiB as ${styleOf(formatted)} ${format}, ${what}`,
            to: 'one second',
            ...bounds,
            ...toOneSecond(micros),
          });
        };
        const measured = async (text: string, calls?: number): Promise<number> => {
          await checkExport(exporter, text, formatted);
          return measureCost(() => exportAll(exporter, text, formatted), calls);
        };
        figure(`${lineCount(prose)} of prose`, await measured(prose), 1);
        figure(
          `${lineCount(prose)} of prose, as the first export of a process, including the loading of the library`,
          await coldMicros(format, formatted),
          1,
        );
        figure(`${lineCount(short)} of one letter`, await measured(short, 3));
      }
    }
    return figures;
  },
};
