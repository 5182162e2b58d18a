import { SqliteDocumentRepository, SqliteSessionRepository } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { ObservedDatabase } from '../observed-database.ts';

/** How SQLite runs each statement that `database` has run. */
const plansOf = (database: ObservedDatabase): Promise<readonly (readonly [sql: string, detail: string])[]> =>
  database.read(() =>
    [...database.statements]
      .filter((sql) => !sql.startsWith('EXPLAIN'))
      .flatMap((sql) =>
        database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => [sql, detail] as const),
      ),
  );

describe('the query plans of the SQLite repositories', () => {
  let folder: DatabaseFolder;
  let database: ObservedDatabase;

  beforeEach(async () => {
    folder = await databaseFolder();
    await folder.open();
    database = new ObservedDatabase(folder.file);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  it('list documents in the order of an index, without a sort', async () => {
    await new SqliteDocumentRepository(database).list('owner', { limit: 50, offset: 0 });
    const plans = await plansOf(database);
    expect(plans).to.have.length(2);
    for (const [sql, detail] of plans) expect(detail, sql).to.match(/^SEARCH \w+ USING (COVERING )?INDEX/);
  });

  it('find the next document only through indexes of owners and documents', async () => {
    const documents = new SqliteDocumentRepository(database);
    await documents.nextClaimable(0);
    await documents.findPurgeable(0, 10);
    const tables = (await plansOf(database)).filter(([, detail]) => /^(SCAN|SEARCH) (owners|documents)/.test(detail));
    expect(tables.length).to.be.at.least(6);
    for (const [sql, detail] of tables) expect(detail, sql).to.match(/USING (COVERING )?INDEX/);
  });

  it('find and remove sessions and refresh tokens only through indexes', async () => {
    const sessions = new SqliteSessionRepository(database);
    await sessions.findByRefreshToken('digest');
    for (const sql of [
      'DELETE FROM used_refresh_tokens WHERE session_id = ?',
      'SELECT used_at FROM used_refresh_tokens WHERE session_id = ? ORDER BY used_at DESC LIMIT 1 OFFSET 999',
      'DELETE FROM used_refresh_tokens WHERE expires_at <= ?',
      'DELETE FROM sessions WHERE account_id = ? AND id IS NOT ?',
      'DELETE FROM sessions WHERE expires_at <= ?',
      'SELECT id, closed_at FROM closed_accounts ORDER BY closed_at',
    ])
      database.statements.add(sql);
    for (const [sql, detail] of await plansOf(database)) expect(detail, sql).to.match(/USING (COVERING )?INDEX/);
  });
});
