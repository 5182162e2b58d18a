import type { ExportedLine, ExportedText } from '@palimpsest/core';
import type { PackagePart } from '@palimpsest/office-package';
import { formattedLayout, plainLayout } from './layouts.ts';
import type { Layout, Row } from './layouts.ts';
import { sheetPart, workbookFrame } from './workbook-frame.ts';
import type { WorkbookFrame } from './workbook-frame.ts';

const MAX_ROWS = 1_048_576; // of a sheet (Microsoft: "Excel specifications and limits")

/** Reads the lines of a text. `hasNext` shows whether another line follows, without reading it. */
class LineReader {
  readonly #lines: Iterator<ExportedLine>;
  #next: IteratorResult<ExportedLine>;

  constructor(lines: Iterable<ExportedLine>) {
    this.#lines = lines[Symbol.iterator]();
    this.#next = this.#lines.next();
  }

  get hasNext(): boolean {
    return this.#next.done !== true;
  }

  /** The next line; `undefined` after the last one. */
  next(): ExportedLine | undefined {
    const { done, value } = this.#next;
    if (done === true) return undefined;
    this.#next = this.#lines.next();
    return value;
  }

  close(): void {
    this.#lines.return?.();
  }
}

const rowXml = (number: number, { cells, heightPt }: Row): readonly string[] => {
  const height = heightPt === undefined ? '' : ` ht="${heightPt}"`;
  return [`<row r="${number}"${height}>`, ...cells, '</row>'];
};

/** The XML of a sheet: its head rows, then lines until the sheet is full or the text ends. */
function* sheetXml(
  frame: WorkbookFrame,
  layout: Layout,
  sheet: number,
  lines: LineReader,
  maxRows: number,
): Generator<string> {
  const { before, after } = frame.sheetXml(Math.min(sheet, 2));
  yield before;
  let row = 0;
  for (const head of layout.headRows(sheet, frame.styleNumbers)) yield* rowXml(++row, head);
  while (row < maxRows) {
    const line = lines.next();
    if (line === undefined) break;
    row++;
    yield* rowXml(row, layout.lineRow(line, row, frame.styleNumbers));
  }
  yield after;
}

/** The parts of a workbook: as many sheets as the lines need, at least one, then the parts that list the sheets. */
export async function* workbookParts(text: ExportedText, maxRows = MAX_ROWS): AsyncGenerator<PackagePart> {
  const layout = text.heading === undefined ? plainLayout : formattedLayout(text.heading);
  const frame = await workbookFrame(layout.design, 2); // all sheets after the first one have the same frame
  const lines = new LineReader(text.lines());
  let sheets = 0;
  try {
    do {
      sheets++;
      yield { name: sheetPart(sheets), content: sheetXml(frame, layout, sheets, lines, maxRows) };
    } while (lines.hasNext);
  } finally {
    lines.close();
  }
  yield* (await workbookFrame(layout.design, sheets)).others;
}
