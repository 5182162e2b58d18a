import { notRun, type Row, type Rows, type Totals } from './rows.ts';

const HEAD = ['port', 'adapter', 'backend', 'passed', 'failed', 'pending', 'not run'] as const;
const COUNTS_FROM = 3; // right-aligned columns

/** Each distinct reason once, in the order of the rows. */
export const reasonsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => [...row.reasons])),
];

const figure = (count: number): string => (count === 0 ? '-' : String(count));

const cellsOf = (row: Row, reasons: readonly string[]): readonly string[] => {
  const numbers = [...row.reasons].map((reason) => reasons.indexOf(reason) + 1);
  const pending = numbers.length === 0 ? figure(row.pending) : `${figure(row.pending)} (${numbers.join(', ')})`;
  return [row.port, row.adapter, row.backend, figure(row.passed), figure(row.failed), pending, figure(notRun(row))];
};

/** The totals as text. */
export const summary = ({ passed, failed, pending, notRun: left }: Totals): string =>
  `${passed} passed, ${failed} failed, ${pending} pending${left === 0 ? '' : `, ${left} not run`}`;

/** The table as plain text with numbered reasons below it. */
export const plainTable = (rows: Rows): string => {
  const sorted = rows.sorted();
  const reasons = reasonsOf(sorted);
  const lines = [HEAD, ...sorted.map((row) => cellsOf(row, reasons))];
  const widths = HEAD.map((_head, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, column) =>
        column < COUNTS_FROM ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const [head = '', ...body] = lines.map(aligned);
  const numbered = reasons.map((reason, index) => `(${index + 1}) ${reason}`);
  const parts = [
    [head, '-'.repeat(head.length), ...body],
    ...(numbered.length === 0 ? [] : [numbered]),
    [summary(rows.totals())],
  ];
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
};

const escaped = (text: string): string => text.replaceAll(/[\\|<>*_`[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');

/** The table in GitHub Markdown. */
export const markdownTable = (rows: Rows): string => {
  const sorted = rows.sorted();
  const reasons = reasonsOf(sorted);
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  const rule = `|${HEAD.map((_head, column) => (column < COUNTS_FROM ? ' --- |' : ' ---: |')).join('')}`;
  const table = [line(HEAD), rule, ...sorted.map((row) => line(cellsOf(row, reasons)))];
  const numbered = reasons.map((reason, index) => `${index + 1}. ${escaped(reason)}`);
  const parts = [
    ['## Contract tests'],
    table,
    ...(numbered.length === 0 ? [] : [['Pending, because:'], numbered]),
    [`**${summary(rows.totals())}**`],
  ];
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
};

/** All figures as JSON. */
export const asJson = (rows: Rows): string => {
  const sorted = rows.sorted().map((row) => ({ ...row, notRun: notRun(row), reasons: [...row.reasons] }));
  return `${JSON.stringify({ rows: sorted, totals: rows.totals() }, undefined, 2)}\n`;
};
