import { randomUUID } from 'node:crypto';
import { aDocument, aPage, at } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { startChild } from '../../../sqlite/test/child-process.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

await describeOnMongo('A MongoDB that several processes use at the same time', (server) => {
  const database = databaseForSuite(server);

  it('lets exactly one of four processes claim each document', async function () {
    this.timeout(120_000);
    const { documents } = await database().open();
    const ids = Array.from({ length: 120 }, () => randomUUID());
    for (const [i, id] of ids.entries()) await documents.add(aDocument({ id, ownerId: `owner ${i % 7}` }));
    const children = [0, 1, 2, 3].map(() =>
      startChild(new URL('claim.child.ts', import.meta.url), database().url, String(at(1))),
    );
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    expect(children.flatMap((child) => child.lines.slice(1))).to.have.members(ids);
    expect(await documents.nextClaimable(at(1))).to.equal(undefined);
  });

  it('gives each keyed request, token, mail attempt and revision number to exactly one of four processes', async function () {
    this.timeout(120_000);
    const { accountTokens } = await database().open();
    const numbers = Array.from({ length: 25 }, (_, i) => i);
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
      startChild(new URL('once.child.ts', import.meta.url), database().url, String(numbers.length)),
    );
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const four = [1, 2, 3, 4];
    expect(children.flatMap((child) => child.lines.slice(1))).to.have.members([
      ...numbers.flatMap((i) => [`key ${i}`, `token ${i}`, ...four.map((attempt) => `mail ${i} ${attempt}`)]),
      ...Array.from({ length: 100 }, (_, i) => `revision ${i + 1}`),
    ]);
  });

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
