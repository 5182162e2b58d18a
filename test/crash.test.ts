import { expect } from 'chai';
import { killRounds } from './trials/kill-rounds.ts';

describe('a service that is killed', () => {
  it('keeps every accepted document and completes each once', async function () {
    this.timeout(180_000);
    const report = await killRounds({ rounds: 3, longestMs: 2000 });
    expect(report).to.deep.include({ missing: 0, notCompleted: 0, changed: 0, completedTwice: 0, brokenDatabase: 0 });
    expect(report.accepted).to.be.greaterThan(0);
  });
});
