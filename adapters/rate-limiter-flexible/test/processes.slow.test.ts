import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { runTogether, startChild, type Child } from '../../../test/processes/child-process.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import type { DatabaseLocation } from '../../../test/processes/database.ts';
import { limiterFolder, type LimiterFolder } from './limiter-folder.ts';
import { openCounters } from './open-counters.ts';

const describeProcesses = (databaseOfTest: () => DatabaseLocation): void => {
  const children: Child[] = [];
  const counted = async (): Promise<number> => {
    const { rateCounters, close } = await openCounters(databaseOfTest());
    const window = await rateCounters.peek('key');
    await close();
    return window?.count ?? 0;
  };

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
  });

  it('give each of 2000 concurrent hits of four processes a different count', async () => {
    const { kind, location } = databaseOfTest();
    const printed = await runTogether(4, new URL('hit.child.ts', import.meta.url), kind, location, '500');
    const counts = printed.flat().map(Number);
    expect(counts.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 2_000 }, (_, i) => i + 1));
    expect(await counted()).to.equal(2_000);
  });

  it('keep the counts of a killed process', async () => {
    const { kind, location } = databaseOfTest();
    let seen = 0;
    for (let round = 0; round < 3; round++) {
      const child = startChild(new URL('hit-until-killed.child.ts', import.meta.url), kind, location);
      children.push(child);
      await child.printed(20 + round);
      await child.kill();
      const counts = child.lines.map(Number);
      expect(counts[0]).to.be.above(seen);
      seen = counts.at(-1) ?? 0;
    }
    // The last hit of each process may have been counted but not printed.
    expect(await counted()).to.be.within(seen, seen + 3);
  });
};

describe('Rate counters that several processes keep in one file', function () {
  this.timeout(60_000);
  let folder: LimiterFolder;

  beforeEach(async () => {
    folder = await limiterFolder();
  });
  afterEach(() => folder.remove());
  describeProcesses(() => ({ kind: 'sqlite', location: folder.file }));
});

await describeOnMongo('Rate counters that several processes keep in MongoDB', (server) => {
  describe('that share one database', function () {
    this.timeout(120_000);
    const database = databaseForSuite(server);
    describeProcesses(() => ({ kind: 'mongodb', location: database().url }));
  });
});
