import { once, type EventEmitter } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import ExcelJS from 'exceljs';

/** How a sheet looks. */
export interface SheetLayout {
  readonly columns: readonly { readonly width?: number; readonly style: Partial<ExcelJS.Style> }[]; // width in digits
  readonly frozenRows: number; // that stay in sight
  readonly printed: Partial<ExcelJS.PageSetup>;
}

/** A sheet that rows are written to, as the XML of SpreadsheetML. */
export interface Sheet {
  /** Resolves when more may be written; rejects once the workbook was stopped. */
  write(rows: string): Promise<void>;
  end(): void;
}

// What ExcelJS 4.4.0 has and does not declare. It writes styles, properties and the frame of each sheet. Its own way of
// writing rows takes some 6 µs for each, drops U+007F, loses blanks at the ends of strings and never waits for a reader;
// so the rows are written to the stream under the sheet, which hands them on to the stream that the archive reads.
interface Internals {
  readonly zip: Readable & { append(source: unknown, data: { readonly name: string }): unknown; abort(): void };
  readonly styles: { addStyleModel(style: Partial<ExcelJS.Style>, type: ExcelJS.ValueType): number };
}

type Source = EventEmitter & { readonly _writableState: { readonly needDrain: boolean } };

interface SheetInternals {
  readonly stream: { write(xml: string): Promise<unknown>; end(): void; readonly pipes: readonly Source[] };
}

const COMPRESSION_LEVEL = 4;
const PRODUCT = 'Palimpsest';

/** A workbook that is read while it is written. */
export class StreamedWorkbook {
  readonly output = new PassThrough();
  readonly #stop = new AbortController();
  readonly #book: ExcelJS.stream.xlsx.WorkbookWriter;
  readonly #internals: Internals;
  #open: SheetInternals['stream'] | undefined;

  constructor(title: string | undefined) {
    this.#book = new ExcelJS.stream.xlsx.WorkbookWriter({
      stream: this.output,
      useStyles: true,
      zip: { zlib: { level: COMPRESSION_LEVEL } },
    });
    this.#book.creator = PRODUCT;
    this.#book.lastModifiedBy = PRODUCT;
    if (title !== undefined) this.#book.title = title;
    this.#internals = this.#book as unknown as Internals;
    this.#internals.zip.on('error', (error) => this.output.destroy(error));
  }

  /** The number by which cells name a style. */
  styleNumber(style: Partial<ExcelJS.Style>): number {
    return this.#internals.styles.addStyleModel(style, ExcelJS.ValueType.String);
  }

  /** One at a time: the sheet before must have ended. */
  addSheet(name: string, { columns, frozenRows, printed }: SheetLayout): Sheet {
    const views: Partial<ExcelJS.WorksheetView>[] = frozenRows === 0 ? [] : [{ state: 'frozen', ySplit: frozenRows }];
    const sheet = this.#book.addWorksheet(name, { views, pageSetup: printed });
    sheet.columns = columns.map((column) => ({ ...column }));
    sheet.addRow([]).commit(); // an empty row is not written, but all that stands before rows is
    const { stream } = sheet as unknown as SheetInternals;
    const [source] = stream.pipes;
    if (source === undefined) throw new TypeError('The archive does not read the sheet');
    this.#open = stream;
    const { signal } = this.#stop;
    return {
      write: async (rows) => {
        await stream.write(rows);
        if (source._writableState.needDrain) await once(source, 'drain', { signal });
        else await setImmediate(undefined, { signal });
      },
      end: () => {
        this.#open = undefined;
        sheet.commit();
      },
    };
  }

  /** To be called after all sheets have ended. Resolves when everything was read. */
  async commit(): Promise<void> {
    await this.#book.commit();
  }

  /** Frees everything, whatever has been written. */
  stop(): void {
    const { zip } = this.#internals;
    this.#stop.abort();
    zip.unpipe(this.output);
    zip.resume();
    zip.abort();
    this.#open?.end();
    this.output.destroy();
  }
}
