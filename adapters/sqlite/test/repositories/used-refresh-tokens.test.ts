import { openDatabase, SqliteSessionRepository, type Database } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

describe('the used refresh tokens of a session', () => {
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

  it('are removed with their session when it is removed or expires', async () => {
    const ends = [() => sessions.remove('s'), () => sessions.removeAllOf('a'), () => sessions.removeExpired(1000)];
    for (const end of ends) {
      await addRotated();
      await end();
      expect(await usedTokens()).to.equal(0);
    }
  });

  it('are removed when they have expired', async () => {
    await addRotated();
    expect(await sessions.removeExpired(100)).to.equal(0);
    expect(await usedTokens()).to.equal(1);
  });

  it('are kept for the newest 1,000 rotations of each session', async () => {
    for (const id of ['s', 't']) {
      await sessions.add({ id, accountId: 'a', refreshTokenDigest: `${id}999`, createdAt: 0, expiresAt: 100 });
      await database.write(() =>
        database.run(
          `WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 998)
           INSERT INTO used_refresh_tokens (digest, session_id, used_at, expires_at) SELECT ?1 || i, ?1, i, 100 FROM numbers`,
          id,
        ),
      );
      for (let n = 999; n < 1010; n++)
        await sessions.rotate(id, { from: `${id}${n}`, to: `${id}${n + 1}`, usedAt: n, expiresAt: 100 });
    }
    expect(await usedTokens()).to.equal(2000);
    expect((await sessions.findByRefreshToken('s10'))?.usedAt).to.equal(10);
    expect(await sessions.findByRefreshToken('s9')).to.equal(undefined);
    expect((await sessions.findByRefreshToken('s1010'))?.usedAt).to.equal(undefined);
  });
});
