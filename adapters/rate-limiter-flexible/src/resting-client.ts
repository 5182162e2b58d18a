import type { SqliteClient, SqliteStatement } from './sqlite-limiter.ts';

/**
 * A client that, when a call to it failed, fails at once with the same error for a while. A locked file is waited for
 * inside SQLite, and the whole process with it, so not every call may do so.
 */
export class RestingClient implements SqliteClient {
  readonly #client: SqliteClient;
  readonly #restMs: number;
  #restsUntil = -Infinity;
  #fault: unknown;

  constructor(client: SqliteClient, restMs: number) {
    this.#client = client;
    this.#restMs = restMs;
  }

  prepare(sql: string): SqliteStatement {
    const statement = this.#try(() => this.#client.prepare(sql));
    return {
      get: (...values) => this.#try(() => statement.get(...values)),
      run: (...values) => this.#try(() => statement.run(...values)),
    };
  }

  transaction<T>(work: () => T): () => T {
    const run = this.#client.transaction(work);
    return () => this.#try(run);
  }

  #try<T>(call: () => T): T {
    // oxlint-disable-next-line typescript/only-throw-error -- what was thrown, once more
    if (performance.now() < this.#restsUntil) throw this.#fault;
    try {
      return call();
    } catch (error) {
      this.#fault = error;
      this.#restsUntil = performance.now() + this.#restMs;
      throw error;
    }
  }
}
