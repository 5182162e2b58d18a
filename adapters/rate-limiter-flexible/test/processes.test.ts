import { expect } from 'chai';
import { startChild } from '../../sqlite/test/child-process.ts';
import { limiterFolder, type LimiterFolder } from './limiter-folder.ts';

describe('Rate counters of several processes in one file', function () {
  this.timeout(60_000);
  let folder: LimiterFolder;

  beforeEach(async () => {
    folder = await limiterFolder();
  });
  afterEach(() => folder.remove());

  it('give each of 2000 hits a count of its own, although four processes make the file at the same moment', async () => {
    const children = [0, 1, 2, 3].map(() => startChild(new URL('hit.child.ts', import.meta.url), folder.file, '500'));
    await Promise.all(children.map((child) => child.printed(1)));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.ended()));
    const counts = children.flatMap((child) => child.lines.slice(1).map(Number));
    expect(counts.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 2_000 }, (_, i) => i + 1));
    const { rateCounters } = await folder.open();
    expect(await rateCounters.peek('key')).to.have.property('count', 2_000);
  });

  it('survive that a process is killed', async () => {
    let seen = 0;
    for (let round = 0; round < 3; round++) {
      const child = startChild(new URL('hit-until-killed.child.ts', import.meta.url), folder.file);
      await child.printed(20 + round);
      await child.kill();
      const counts = child.lines.map(Number);
      expect(counts[0]).to.be.above(seen);
      seen = counts.at(-1) ?? 0;
    }
    const { rateCounters } = await folder.open();
    const { count } = (await rateCounters.peek('key')) ?? { count: 0 };
    // Of each process the last hit may have been counted and not printed any more.
    expect(count).to.be.within(seen, seen + 3);
  });
});
