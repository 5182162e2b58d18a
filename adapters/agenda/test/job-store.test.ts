import type { JobStore, LockedJob } from '@palimpsest/job-store';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { mongoJobs, sqliteJobs, type JobDatabase } from './job-stores.ts';

const DAY_MS = 86_400_000;

const describeStore = (openDatabase: () => Promise<JobDatabase>): void => {
  let database: JobDatabase;
  let store: JobStore;
  beforeEach(async () => {
    database = await openDatabase();
    store = await database.connect();
  });
  afterEach(() => database.remove());

  /** Locks the next job, and returns it with the token. */
  const lock = async (token: string, nowMs: number): Promise<LockedJob & { readonly token: string }> => {
    const job = await store.lockNext('mail', token, nowMs);
    if (job === undefined) throw new Error('No job is due');
    return { ...job, token };
  };

  it('locks first the job that has been due for the longest time, and each job once', async () => {
    await store.add('mail', '"third"', 3_000);
    await store.add('mail', '"first"', 1_000);
    await store.add('mail', '"second"', 2_000);
    await store.add('mail', '"not due"', 3_001);
    await store.add('other', '"other"', 0);
    const payloads = [];
    for (const token of ['a', 'b', 'c']) payloads.push((await lock(token, 3_000)).payload);
    expect(payloads).to.deep.equal(['"first"', '"second"', '"third"']);
    expect(await store.lockNext('mail', 'd', 3_000)).to.equal(undefined);
  });

  it('locks each job for only one of many concurrent callers', async () => {
    for (let i = 0; i < 20; i++) await store.add('mail', String(i), 0);
    const second = await database.connect();
    const locked = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? store : second).lockNext('mail', `token-${i}`, 0)),
    );
    const ids = locked.filter((job) => job !== undefined).map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    let left = 0;
    while (await store.lockNext('mail', `rest-${left}`, 0)) left++;
    expect(ids.length + left).to.equal(20);
  });

  it('sets the next run of a released job to the given time, and keeps it if none is given', async () => {
    await store.add('mail', '1', 1_000);
    expect(await store.release(await lock('a', 1_000))).to.equal(true);
    expect(await store.release(await lock('b', 1_000), 5_000)).to.equal(true);
    expect(await store.lockNext('mail', 'c', 4_999)).to.equal(undefined);
    expect((await lock('d', 5_000)).payload).to.equal('1');
  });

  it('removes a job', async () => {
    await store.add('mail', '1', 0);
    expect(await store.remove(await lock('a', 0))).to.equal(true);
    expect(await store.lockNext('mail', 'b', DAY_MS)).to.equal(undefined);
  });

  it('releaseExpired releases only locks of the given kinds that were not renewed in time', async () => {
    await store.add('mail', '1', 0);
    await store.add('mail', '2', 0);
    await store.add('other', '3', 0);
    const lost = await lock('a', 1_000);
    const renewed = await lock('b', 1_000);
    await store.lockNext('other', 'c', 1_000);
    expect(await store.renew(renewed, 1_001)).to.equal(true);
    await store.releaseExpired(['mail', 'read'], 999);
    expect(await store.lockNext('mail', 'd', 2_000)).to.equal(undefined);
    await store.releaseExpired(['mail', 'read'], 1_000);
    expect((await lock('e', 2_000)).id).to.equal(lost.id);
    expect(await store.lockNext('mail', 'f', 2_000)).to.equal(undefined);
    expect(await store.lockNext('other', 'g', 2_000)).to.equal(undefined);
  });

  it('refuses each change with an expired lock, also when another worker has locked the job', async () => {
    await store.add('mail', '1', 0);
    const stale = await lock('a', 0);
    await store.releaseExpired(['mail'], 0);
    for (const state of ['not locked', 'locked by another worker']) {
      expect(await store.renew(stale, 9), state).to.equal(false);
      expect(await store.release(stale, 9), state).to.equal(false);
      expect(await store.remove(stale), state).to.equal(false);
      if (state === 'not locked') await lock('b', 0);
    }
    await store.releaseExpired(['mail'], 0);
    expect((await lock('c', 0)).id).to.equal(stale.id);
  });

  it('stores one recurring job of a kind when several workers add it at the same time', async () => {
    const second = await database.connect();
    await Promise.all([store, second, store, second].map((each) => each.addRecurring('mail', 1_000, 2_000)));
    expect(await lock('a', 1_000)).to.deep.include({ payload: '{}', isRecurring: true });
    expect(await store.lockNext('mail', 'b', DAY_MS)).to.equal(undefined);
  });

  it('sets the next run of a recurring job to an earlier time, never to a later one', async () => {
    await store.addRecurring('mail', 0, 1_000);
    await store.release(await lock('a', 0), 5_000);
    await store.addRecurring('mail', 1_000, 9_000);
    expect(await store.lockNext('mail', 'b', 4_999)).to.equal(undefined);
    await store.addRecurring('mail', 1_000, 4_000);
    expect(await store.lockNext('mail', 'c', 3_999)).to.equal(undefined);
    expect((await lock('d', 4_000)).isRecurring).to.equal(true);
  });
};

describe('The job store on SQLite', () => describeStore(sqliteJobs));

await describeOnMongo('The job store on MongoDB', (server) => {
  describe('JobStore', () => describeStore(() => mongoJobs(server)));
});
