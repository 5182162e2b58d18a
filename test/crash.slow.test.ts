import { expect } from 'chai';
import { killChanges } from './trials/kill-changes.ts';
import { killRounds } from './trials/kill-rounds.ts';

describe('a service that is killed by SIGKILL', () => {
  it('keeps every accepted document and completes each exactly once after the restart', async function () {
    this.timeout(180_000);
    const report = await killRounds({ rounds: 3, longestMs: 2000 });
    expect(report).to.deep.include({ missing: 0, notCompleted: 0, changed: 0, completedTwice: 0, brokenDatabase: 0 });
    expect(report.accepted).to.be.greaterThan(0);
  });

  it('keeps every answered revision, finds only the newest one by search, and creates one document for a repeated upload', async function () {
    this.timeout(360_000);
    const report = await killChanges({ rounds: 2, longestMs: 1000 });
    expect(report).to.deep.include({ lost: 0, notFound: 0, stale: 0, duplicates: 0 });
    expect(report.revised).to.be.greaterThan(0);
    expect(report.keyed).to.be.greaterThan(0);
  });
});
