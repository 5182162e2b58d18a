import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Database } from '../src/database.ts';

/** A connection that records its statements and calls a function of the test after each write transaction. */
export class ObservedDatabase extends Database {
  readonly statements = new Set<string>();
  writes = 0;
  /** Runs after each write transaction, before the call of the transaction returns. */
  afterWrite: (writes: number) => Promise<void> = () => Promise.resolve();

  constructor(file: string) {
    super(new DatabaseSync(file), 10_000);
  }

  override async write<T>(work: () => T): Promise<T> {
    const result = await super.write(work);
    this.writes++;
    await this.afterWrite(this.writes);
    return result;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as in the class
  override one<Row>(sql: string, ...values: SQLInputValue[]) {
    this.statements.add(sql);
    return super.one<Row>(sql, ...values);
  }

  override all<Row>(sql: string, ...values: SQLInputValue[]) {
    this.statements.add(sql);
    return super.all<Row>(sql, ...values);
  }
}
