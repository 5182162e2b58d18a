import type { SqliteClient, SqliteStatement } from '@palimpsest/rate-limiter-flexible';

/** A client that can be broken and mended. */
export interface FragileClient extends SqliteClient {
  fault: Error | undefined;
}

export const fragile = (client: SqliteClient): FragileClient => {
  const unlessBroken = <T>(work: () => T): T => {
    if (made.fault) throw made.fault;
    return work();
  };
  const made: FragileClient = {
    fault: undefined,
    prepare: (sql): SqliteStatement => {
      const statement = unlessBroken(() => client.prepare(sql));
      return {
        get: (...values) => unlessBroken(() => statement.get(...values)),
        run: (...values) => unlessBroken(() => statement.run(...values)),
      };
    },
    transaction: (work) => () => unlessBroken(client.transaction(work)),
  };
  return made;
};
