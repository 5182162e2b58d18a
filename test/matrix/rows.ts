/** The results of the tests of one adapter on one backend. */
export interface Row {
  readonly port: string;
  readonly adapter: string;
  readonly backend: string;
  planned: number; // tests in total
  passed: number;
  failed: number; // includes hooks
  pending: number;
  readonly reasons: Set<string>; // of pending tests
}

export type RowKey = Pick<Row, 'port' | 'adapter' | 'backend'>;

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  readonly notRun: number; // because a hook failed before them
}

/** The number of tests that did not run because a hook before them failed. */
export const notRun = ({ planned, passed, failed, pending }: Row): number =>
  Math.max(0, planned - passed - failed - pending);

/** The rows of a table. A row is created on first access. */
export class Rows {
  readonly #rows = new Map<string, Row>();
  isAborted = false; // by a signal; then the figures are incomplete

  at({ port, adapter, backend }: RowKey): Row {
    const key = JSON.stringify([port, adapter, backend]);
    const row = this.#rows.get(key) ?? {
      port,
      adapter,
      backend,
      planned: 0,
      passed: 0,
      failed: 0,
      pending: 0,
      reasons: new Set<string>(),
    };
    this.#rows.set(key, row);
    return row;
  }

  /** By port, then adapter, then backend. */
  sorted(): readonly Row[] {
    const order = (a: Row, b: Row): number =>
      a.port.localeCompare(b.port) || a.adapter.localeCompare(b.adapter) || a.backend.localeCompare(b.backend);
    return [...this.#rows.values()].sort(order);
  }

  totals(): Totals {
    const sum = (count: (row: Row) => number): number =>
      [...this.#rows.values()].reduce((total, row) => total + count(row), 0);
    return {
      passed: sum((row) => row.passed),
      failed: sum((row) => row.failed),
      pending: sum((row) => row.pending),
      notRun: sum(notRun),
    };
  }
}
