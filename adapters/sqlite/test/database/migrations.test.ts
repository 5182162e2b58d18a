import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import { openDatabase } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { documentsSchema } from '../../src/schema/documents.ts';
import { jobsSchema } from '../../src/schema/jobs.ts';
import { mailAndKeysSchema } from '../../src/schema/mail-and-keys.ts';
import { searchSchema } from '../../src/schema/search.ts';
import { signInSchema } from '../../src/schema/sign-in.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

const released = [documentsSchema, jobsSchema, mailAndKeysSchema, signInSchema, searchSchema];

const rows = `
  INSERT INTO accounts (id, email, password_hash, email_verified, created_at) VALUES
    ('account-1', 'ann@example.org', 'hash 1', 0, 11), ('account-2', 'bob@example.org', 'hash 2', 1, 12);
  INSERT INTO sessions (id, account_id, refresh_token_digest, created_at, expires_at) VALUES
    ('session-1', 'account-1', 'digest 1', 21, 1000), ('session-2', 'account-1', 'digest 2', 22, 2000),
    ('session-3', 'account-2', 'digest 3', 23, 3000);
`;

// As schema 5 indexed a document: all words, with their columns and positions.
const indexedRows = `
  INSERT INTO search_owners (owner_number, owner_id) VALUES (1, 'owner-1');
  INSERT INTO search_entries (entry_id, document_id, owner_number, received_at, version, names_length, text_length)
    VALUES (1, 'document-1', 1, 0, 1, 19, 20);
  INSERT INTO search_texts (entry_id, title, filename, text)
    VALUES (1, ' a letter ', ' scan pdf ', ' dear friend dear old friend ');
  INSERT INTO search_words (rowid, owner, title, filename, text) VALUES (1, '00001_',
    ' 00001_a 00001_letter', ' 00001_scan 00001_pdf', ' 00001_dear 00001_friend 00001_dear 00001_old 00001_friend');
`;

describe('a database of an earlier version', () => {
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await databaseFolder();
    await mkdir(dirname(folder.file));
  });
  afterEach(() => folder.remove());

  const createVersion = (version: number, moreRows = ''): void => {
    const database = new DatabaseSync(folder.file);
    for (const schema of released.slice(0, version)) database.exec(schema);
    database.exec(`${rows} ${moreRows} PRAGMA user_version = ${version};`);
    database.close();
  };

  for (const version of [1, 2]) {
    it(`keeps accounts and sessions of schema ${version}`, async () => {
      createVersion(version);
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

  it('finds, replaces and removes documents that schema 5 indexed', async () => {
    createVersion(5, indexedRows);
    const { searchIndex } = await folder.open();
    const total = async (q: string): Promise<number> =>
      (await searchIndex.search('owner-1', parseSearchQuery(q), { limit: 10, offset: 0 })).total;
    for (const q of ['letter', 'scan', 'friend', 'fri*', '"dear old friend"', 'dear -absent'])
      expect(await total(q), q).to.equal(1);
    for (const q of ['absent', '"old dear"', 'dear -old', 'dear -"old friend"']) expect(await total(q), q).to.equal(0);

    await searchIndex.put(aSearchEntry({ documentId: 'document-1', version: 2, text: 'revised' }));
    expect([await total('friend'), await total('revised')]).to.deep.equal([0, 1]);
    await searchIndex.remove('document-1');
    expect(await total('')).to.equal(0);
  });

  it('has the same schema after the upgrade as a new database', async () => {
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
    createVersion(1);
    expect(await schemaOf(folder.file)).to.deep.equal(await schemaOf(`${folder.file}.new`));
  });
});
