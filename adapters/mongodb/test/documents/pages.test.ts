import { aPage } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

await describeOnMongo('MongoPageRepository', (server) => {
  const database = databaseForSuite(server);

  const countPieces = async (): Promise<number> =>
    (await database().connect()).db.collection('page_pieces').countDocuments();

  it('keeps every page complete and leaves no piece behind when pages are stored, adopted and removed concurrently', async function () {
    this.timeout(120_000);
    const here = (await database().open()).pages;
    const there = (await database().open()).pages;
    for (let round = 0; round < 15; round++) {
      await Promise.all([
        here.put('d', 'a', aPage({ number: 1 + (round % 3) })),
        there.put('d', 'a', aPage({ number: 1 + (round % 3), text: 'concurrent' })),
        here.put('d', 'b', aPage({ number: 2 })),
        there.removeOthers('d', round % 2 === 0 ? 'a' : 'b'),
        round % 5 === 4 ? here.removeAll('d') : there.adopt('d', 'c'),
        there.list('d', 'a'),
        here.words('d', 'a', 1),
      ]);
      for (const run of ['a', 'b', 'c']) {
        for (const { number } of await here.list('d', run))
          expect(await there.words('d', run, number)).to.deep.equal(aPage().words);
      }
    }
    await here.adopt('d', 'last');
    await here.removeOthers('d', 'last');
    expect(await countPieces()).to.equal(2 * (await there.list('d', 'last')).length);
  });

  it('removes the pieces of a put that crashed in the next cleanup', async () => {
    const { pages } = await database().open();
    await pages.put('d', 'run', aPage());
    const { db } = await database().connect();
    const [piece] = await db.collection<{ _id: string; era: string }>('page_pieces').find({}).limit(1).toArray();
    const leftover = { ...piece, _id: 'crashed/page/0', documentId: 'd', era: piece?.era ?? '' };
    await db.collection<{ _id: string; era: string }>('page_pieces').insertOne(leftover);
    await pages.removeOthers('d', 'run');
    expect(await countPieces()).to.equal(2);
    expect(await pages.words('d', 'run', 1)).to.deep.equal(aPage().words);
  });
});
