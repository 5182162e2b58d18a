import { aPage, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { startChild } from '../../../../test/processes/child-process.ts';
import { describeConcurrentProcesses } from '../../../../test/processes/concurrent-processes.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

await describeOnMongo('A MongoDB database that several processes use at the same time', (server) => {
  const database = databaseForSuite(server);

  describeConcurrentProcesses(() => ({ kind: 'mongodb', location: database().url }));

  it('keeps every acknowledged write and no partial page after processes were killed while they wrote', async function () {
    this.timeout(180_000);
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round++) {
      const children = [0, 1].map(() =>
        startChild(new URL('write.child.ts', import.meta.url), database().url, String(at(1))),
      );
      // Each round kills the processes at a different point of their work.
      await Promise.all(children.map((child) => child.printed(1 + (round % 5))));
      await Promise.all(children.map((child) => child.kill()));
      acknowledged.push(...children.flatMap((child) => child.lines));
    }
    const { documents, pages, revisions } = await database().open();
    const all = await documents.scan(undefined, 10_000);
    expect(all.map(({ id }) => id)).to.include.members(acknowledged);
    for (const id of acknowledged) {
      expect((await revisions.newest(id))?.text).to.equal(`revision of ${id}`);
      expect((await pages.list(id, 'run')).map((page) => page.text)).to.deep.equal([`text of ${id}`]);
    }
    // Documents without an acknowledgement: their visible pages are complete, and the next worker can finish them.
    const { db } = await database().connect();
    for (const { id } of all) {
      await pages.adopt(id, 'next run');
      for (const page of await pages.list(id, 'next run'))
        expect(await pages.words(id, 'next run', page.number)).to.deep.equal(aPage().words);
      await pages.put(id, 'next run', aPage({ number: 2 }));
      await pages.removeOthers(id, 'next run');
      const stored = (await pages.list(id, 'next run')).length;
      expect(await db.collection('page_pieces').countDocuments({ documentId: id }), 'pieces of pages').to.equal(
        2 * stored,
      );
      await pages.removeAll(id);
    }
    expect(await db.collection('page_pieces').countDocuments()).to.equal(0);
    expect(await documents.nextClaimable(at(1e6))).to.not.equal(undefined);
  });
});
