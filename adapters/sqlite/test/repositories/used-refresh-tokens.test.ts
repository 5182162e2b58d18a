import { openDatabase, SqliteSessionRepository, type Database } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

describe('Sessions in a database', () => {
  let folder: DatabaseFolder;
  let database: Database;
  let sessions: SqliteSessionRepository;

  beforeEach(async () => {
    folder = await databaseFolder();
    database = await openDatabase(folder.file);
    sessions = new SqliteSessionRepository(database);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  const usedTokens = (): Promise<number | undefined> =>
    database.read(() => database.one<{ n: number }>('SELECT count(*) AS n FROM used_refresh_tokens')?.n);

  const addRotated = async (): Promise<void> => {
    await sessions.add({ id: 's', accountId: 'a', refreshTokenDigest: '0', createdAt: 0, expiresAt: 100 });
    for (let n = 0; n < 3; n++) {
      expect(
        await sessions.rotate('s', { from: String(n), to: String(n + 1), usedAt: n, expiresAt: 100 + n }),
      ).to.equal(true);
    }
    expect(await usedTokens()).to.equal(3);
  };

  it('leave no row of a used-up token behind when they end', async () => {
    const ends = [() => sessions.remove('s'), () => sessions.removeAllOf('a'), () => sessions.removeExpired(1000)];
    for (const end of ends) {
      await addRotated();
      await end();
      expect(await usedTokens()).to.equal(0);
    }
  });

  it('keep no row of a used-up token beyond its time', async () => {
    await addRotated();
    expect(await sessions.removeExpired(100)).to.equal(0);
    expect(await usedTokens()).to.equal(1);
  });

  it('remember the newest thousand used-up tokens of each session, and no more', async () => {
    const rotations = 1200;
    for (const id of ['s', 't']) {
      await sessions.add({ id, accountId: 'a', refreshTokenDigest: `${id}0`, createdAt: 0, expiresAt: 100 });
      for (let n = 0; n < rotations; n++)
        await sessions.rotate(id, { from: `${id}${n}`, to: `${id}${n + 1}`, usedAt: n, expiresAt: 100 });
    }
    expect(await usedTokens()).to.equal(2000);
    expect((await sessions.findByRefreshToken(`s${rotations - 1000}`))?.usedAt).to.equal(rotations - 1000);
    expect(await sessions.findByRefreshToken(`s${rotations - 1001}`)).to.equal(undefined);
    expect((await sessions.findByRefreshToken(`s${rotations}`))?.usedAt).to.equal(undefined);
  });

  it('are looked up by indexes alone', async () => {
    const lookups = [
      'SELECT * FROM sessions WHERE refresh_token_digest = ?',
      'SELECT * FROM used_refresh_tokens JOIN sessions ON sessions.id = session_id WHERE digest = ?',
      'DELETE FROM used_refresh_tokens WHERE session_id = ?',
      'SELECT used_at FROM used_refresh_tokens WHERE session_id = ? ORDER BY used_at DESC LIMIT 1 OFFSET 999',
      'DELETE FROM used_refresh_tokens WHERE expires_at <= ?',
      'DELETE FROM sessions WHERE account_id = ? AND id IS NOT ?',
      'DELETE FROM sessions WHERE expires_at <= ?',
      'SELECT id, closed_at FROM closed_accounts ORDER BY closed_at',
    ];
    for (const sql of lookups) {
      const plan = await database.read(() => database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`));
      for (const { detail } of plan) expect(detail, sql).to.match(/USING (COVERING )?INDEX/);
    }
  });
});
