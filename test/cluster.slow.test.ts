import { expect } from 'chai';
import { findGcsServers } from './services/gcs.ts';
import { describeOnMongo } from './services/mongodb.ts';
import { databaseOutage } from './trials/database-outage.ts';
import { killCluster } from './trials/kill-cluster.ts';

// Files are stored in a bucket if a Cloud Storage emulator is available, otherwise in a folder.
const gcs = await findGcsServers();
const gcsEmulator = typeof gcs === 'string' ? undefined : gcs[0]?.apiEndpoint;
const files = gcsEmulator === undefined ? {} : { gcsEmulator };

await describeOnMongo('an API process and two workers', ({ url: mongodbUrl }) => {
  it('lose no document and complete none twice when a random process is killed', async function () {
    this.timeout(400_000);
    const report = await killCluster({ rounds: 4, longestMs: 1500, mongodbUrl, ...files });
    expect(report).to.deep.include({ missing: 0, notCompleted: 0, changed: 0, completedTwice: 0, jobsLeft: 0 });
    expect(report.accepted).to.be.greaterThan(0);
    expect(report.jobsWhileWorking).to.be.greaterThan(0);
  });

  it('answer 503 while the database is down and complete every accepted document when it is back', async function () {
    this.timeout(400_000);
    const report = await databaseOutage({ seconds: 14, mongodbUrl, ...files });
    expect(report).to.deep.include({ notCompleted: 0, aliveDuring: 200, readyDuring: 503 });
    expect(Object.keys(report.during)).to.deep.equal(['503 with Retry-After']);
    expect(report.slowestDuringMs).to.be.below(20_000);
    expect(report.accepted).to.be.greaterThan(0);
  });
});
