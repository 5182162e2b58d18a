import { randomUUID } from 'node:crypto';
import { openDatabase } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { startChild } from '../child-process.ts';
import { aQueuedDocument } from '../documents.ts';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

describe('a database that several processes use', function () {
  this.timeout(120_000);
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await databaseFolder();
  });
  afterEach(() => folder.remove());

  it('is created once by processes that open it at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const file = `${folder.file}.${round}`;
      const children = [0, 1, 2].map(() => startChild(new URL('open.child.ts', import.meta.url), file));
      await Promise.all(children.map((child) => child.printed(1)));
      for (const child of children) child.go();
      await Promise.all(children.map((child) => child.ended()));
      const { documents } = await folder.open({ file });
      const ids = children.map((child) => child.lines[1] ?? '');
      for (const id of ids) expect((await documents.find(id))?.id).to.equal(id);
    }
  });

  it('gives each document to exactly one of four processes that claim all of them at once', async () => {
    const { documents } = await folder.open();
    const ids = Array.from({ length: 200 }, () => randomUUID());
    for (const [i, id] of ids.entries()) await documents.add(aQueuedDocument({ id, ownerId: `owner ${i % 7}` }));
    const children = [0, 1, 2, 3].map(() =>
      startChild(new URL('claim.child.ts', import.meta.url), folder.file, '2000'),
    );
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const won = children.flatMap((child) => child.lines.slice(1));
    expect(won).to.have.members(ids);
    expect(await documents.nextClaimable(2_000)).to.equal(undefined);
  });

  it('gives each keyed request, token and mail attempt to exactly one of four processes that ask for all of them at once', async () => {
    const { accountTokens } = await folder.open();
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    for (const i of numbers) {
      await accountTokens.issue({
        accountId: `account ${i}`,
        purpose: 'reset-password',
        digest: `digest ${i}`,
        requestedAt: 1,
        expiresAt: 2,
      });
    }
    const children = [0, 1, 2, 3].map(() =>
      startChild(new URL('once.child.ts', import.meta.url), folder.file, String(numbers.length)),
    );
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const got = children.flatMap((child) => child.lines.slice(1));
    const attempts = [1, 2, 3, 4];
    expect(got).to.have.members(
      numbers.flatMap((i) => [`key ${i}`, `token ${i}`, ...attempts.map((attempt) => `mail ${i} ${attempt}`)]),
    );
  });

  it('is intact and has all acknowledged data after processes were killed while they wrote', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 50; round++) {
      const child = startChild(new URL('write.child.ts', import.meta.url), folder.file);
      // A different moment of the work each time.
      await child.printed(1 + (round % 10));
      await child.kill();
      acknowledged.push(...child.lines);
    }
    const database = await openDatabase(folder.file);
    try {
      expect(await database.read(() => database.all('PRAGMA integrity_check'))).to.deep.equal([
        { integrity_check: 'ok' },
      ]);
      expect(await database.read(() => database.all('PRAGMA foreign_key_check'))).to.deep.equal([]);
      const stored = await database.read(() =>
        database.one<{ n: number }>("SELECT count(*) AS n FROM documents WHERE status <> 'deleting'"),
      );
      const { documents, pages, revisions } = await folder.open();
      for (const id of acknowledged) {
        expect((await documents.find(id))?.id).to.equal(id);
        expect((await pages.list(id, 'run')).map((page) => page.text)).to.deep.equal([`text of ${id}`]);
        expect(await pages.words(id, 'run', 1)).to.have.length(200);
        expect((await revisions.newest(id))?.text).to.equal(`revision of ${id}`);
      }
      // What was stored and not acknowledged any more is counted as well.
      expect((await documents.list('owner', { limit: 1, offset: 0 })).total).to.equal(stored?.n);
      expect(acknowledged).to.have.length.of.at.least(50);
    } finally {
      database.close();
    }
  });
});
