import { openDatabase } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { startChild } from '../../../../test/processes/child-process.ts';
import { describeConcurrentProcesses, openTogether } from '../../../../test/processes/concurrent-processes.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

describe('a database that several processes use', function () {
  this.timeout(600_000); // it starts more than 60 processes
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await databaseFolder();
  });
  afterEach(() => folder.remove());

  it('is created once by four processes that open it at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      await openTogether({ kind: 'sqlite', location: `${folder.file}.${round}` });
    }
  });

  describeConcurrentProcesses(() => ({ kind: 'sqlite', location: folder.file }));

  it('is undamaged and has all acknowledged data after processes were killed while they wrote', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 50; round++) {
      const child = startChild(new URL('write.child.ts', import.meta.url), folder.file);
      // Each round kills the process at a different point of its work.
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
      // Documents that were stored without an acknowledgement are counted as well.
      expect((await documents.list('owner', { limit: 1, offset: 0 })).total).to.equal(stored?.n);
      expect(acknowledged).to.have.length.of.at.least(50);
    } finally {
      database.close();
    }
  });
});
