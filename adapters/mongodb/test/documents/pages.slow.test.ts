import { aPage } from '@palimpsest/contract-tests';
import type { Word } from '@palimpsest/core';
import { expect } from 'chai';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { databaseForSuite } from '../database-on-server.ts';

const MEBI = 1024 * 1024;

await describeOnMongo('MongoPageRepository with a large page', (server) => {
  const database = databaseForSuite(server);

  const countPieces = async (): Promise<number> =>
    (await database().connect()).db.collection('page_pieces').countDocuments();

  it('stores a page that exceeds the size limit of a MongoDB document', async function () {
    this.timeout(120_000);
    const { pages } = await database().open();
    // Characters of three and four bytes alternate, so some pieces would end between the two units of a character.
    const text = `a${'東𝔘'.repeat(2 * MEBI)}`;
    const words: readonly Word[] = Array.from({ length: 250_000 }, (_, i) => ({
      text: `${i} $ne a.b 𝔘`,
      confidence: 0.1,
      bbox: [i, 1, 2, 3],
      line: i,
      block: 0,
    }));
    await pages.put('d', 'run', aPage({ text, words }));
    await pages.put('d', 'run', aPage({ number: 2 }));
    const listed = await pages.list('d', 'run');
    expect(listed.map((page) => page.text === text)).to.deep.equal([true, false]);
    expect(JSON.stringify(await pages.words('d', 'run', 1)) === JSON.stringify(words), 'words').to.equal(true);
    expect(await countPieces()).to.be.above(8);
    await pages.put('d', 'run', aPage());
    expect(await countPieces(), 'after the page was replaced').to.equal(4);
    await pages.removeAll('d');
    expect(await countPieces(), 'after all were removed').to.equal(0);
  });
});
