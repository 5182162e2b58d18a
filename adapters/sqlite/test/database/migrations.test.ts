import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { documentsSchema } from '../../src/schema/documents.ts';
import { jobsSchema } from '../../src/schema/jobs.ts';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

const released = [documentsSchema, jobsSchema];

const rows = `
  INSERT INTO accounts (id, email, password_hash, email_verified, created_at) VALUES
    ('account-1', 'ann@example.org', 'hash 1', 0, 11), ('account-2', 'bob@example.org', 'hash 2', 1, 12);
  INSERT INTO sessions (id, account_id, refresh_token_digest, created_at, expires_at) VALUES
    ('session-1', 'account-1', 'digest 1', 21, 1000), ('session-2', 'account-1', 'digest 2', 22, 2000),
    ('session-3', 'account-2', 'digest 3', 23, 3000);
`;

describe('A database that an earlier version made', () => {
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await databaseFolder();
    await mkdir(dirname(folder.file));
  });
  afterEach(() => folder.remove());

  const makeVersion = (version: number): void => {
    const database = new DatabaseSync(folder.file);
    for (const schema of released.slice(0, version)) database.exec(schema);
    database.exec(`${rows} PRAGMA user_version = ${version};`);
    database.close();
  };

  for (const version of [1, 2]) {
    it(`keeps its accounts and sessions from schema ${version} on, and they work on`, async () => {
      makeVersion(version);
      const { accounts, sessions } = await folder.open();
      const ann = {
        id: 'account-1',
        email: 'ann@example.org',
        passwordHash: 'hash 1',
        emailVerified: false,
        createdAt: 11,
      };
      const first = {
        id: 'session-1',
        accountId: 'account-1',
        refreshTokenDigest: 'digest 1',
        createdAt: 21,
        expiresAt: 1000,
      };
      expect(await accounts.find('account-1')).to.deep.equal(ann);
      expect((await accounts.findByEmail('bob@example.org'))?.emailVerified).to.equal(true);
      expect(await sessions.find('session-1')).to.deep.equal(first);
      for (const n of [1, 2, 3]) {
        expect((await sessions.findByRefreshToken(`digest ${n}`))?.session.id).to.equal(`session-${n}`);
      }

      expect(
        await sessions.rotate('session-1', { from: 'digest 1', to: 'digest 4', usedAt: 30, expiresAt: 4000 }),
      ).to.equal(true);
      const rotated = { ...first, refreshTokenDigest: 'digest 4', expiresAt: 4000 };
      expect(await sessions.findByRefreshToken('digest 1')).to.deep.equal({ session: rotated, usedAt: 30 });
      await sessions.removeAllOf('account-1', 'session-1');
      expect(await sessions.find('session-2')).to.equal(undefined);
      await accounts.verifyEmail('account-1');
      expect(await accounts.changePassword('account-1', 'hash 1', 'hash 3')).to.equal(true);
      expect(await accounts.find('account-1')).to.deep.equal({ ...ann, emailVerified: true, passwordHash: 'hash 3' });
      await accounts.close('account-2', 40);
      expect(await accounts.closed()).to.deep.equal([{ id: 'account-2', closedAt: 40 }]);
    });
  }

  it('has the same schema then as one that is made now', async () => {
    const schemaOf = async (file: string): Promise<readonly unknown[]> => {
      const database = await openDatabase(file);
      try {
        return await database.read(() => [
          database.one('PRAGMA user_version'),
          ...database.all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'),
        ]);
      } finally {
        database.close();
      }
    };
    makeVersion(1);
    expect(await schemaOf(folder.file)).to.deep.equal(await schemaOf(`${folder.file}.new`));
  });
});
