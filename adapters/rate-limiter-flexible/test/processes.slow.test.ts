import { expect } from 'chai';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { startChild, type Child } from '../../sqlite/test/child-process.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { limiterFolder, type LimiterFolder } from './limiter-folder.ts';
import { openIn } from './open-in.ts';

const describeProcesses = (kind: 'sqlite' | 'mongodb', locate: () => string): void => {
  const children: Child[] = [];
  const start = (script: string, ...args: readonly string[]): Child => {
    const child = startChild(new URL(script, import.meta.url), kind, locate(), ...args);
    children.push(child);
    return child;
  };
  const counted = async (): Promise<number> => {
    const { rateCounters, close } = await openIn(kind, locate());
    const window = await rateCounters.peek('key');
    await close();
    return window?.count ?? 0;
  };

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
  });

  it('give each of 2000 concurrent hits of four processes a different count', async () => {
    const hitting = [0, 1, 2, 3].map(() => start('hit.child.ts', '500'));
    await Promise.all(hitting.map((child) => child.printed(1)));
    for (const child of hitting) child.go();
    await Promise.all(hitting.map((child) => child.ended()));
    const counts = hitting.flatMap((child) => child.lines.slice(1).map(Number));
    expect(counts.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 2_000 }, (_, i) => i + 1));
    expect(await counted()).to.equal(2_000);
  });

  it('keep the counts of a killed process', async () => {
    let seen = 0;
    for (let round = 0; round < 3; round++) {
      const child = start('hit-until-killed.child.ts');
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
  describeProcesses('sqlite', () => folder.file);
});

await describeOnMongo('Rate counters that several processes keep in MongoDB', (server) => {
  describe('that share one database', function () {
    this.timeout(120_000);
    const database = databaseForSuite(server);
    describeProcesses('mongodb', () => database().url);
  });
});
