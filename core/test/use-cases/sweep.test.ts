import { expect } from 'chai';
import { deleteDocument, plusMs, RECOGNIZE_JOB, sweep, sweepBlobs } from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { ada, aWorld } from './world.ts';

const CONTENT = { pages: [{ text: 'x' }] };

describe('the sweep', () => {
  it('gives every document that waits a job, and none too many', async () => {
    const world = aWorld();
    const noJobs = { ...world.ports.jobs, enqueue: () => Promise.reject(new Error('the process died')) } as never;
    const dying = aWorld({ ...world.memory, jobs: noJobs });
    for (let i = 0; i < 3; i++) await dying.upload(CONTENT);
    await world.upload(CONTENT);
    expect((await sweep(world.ports)()).jobsAdded).to.equal(3);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(4);
    expect((await sweep(world.ports)()).jobsAdded).to.equal(0);
  });

  it('does not take jobs that are put off for jobs that fetch what waits now', async () => {
    const world = aWorld();
    const noJobs = { ...world.ports.jobs, enqueue: () => Promise.reject(new Error('the process died')) } as never;
    await aWorld({ ...world.memory, jobs: noJobs }).upload(CONTENT);
    await world.memory.jobs.enqueue(RECOGNIZE_JOB, {}, plusMs(world.memory.clock.now(), 300_000));
    expect((await sweep(world.ports)()).jobsAdded).to.equal(1);
  });

  it('gives a document whose worker died a job, once its lease has ended', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    await world.memory.jobs.enqueue('other', {});
    const held = await world.claim();
    const waiting = await world.memory.jobs.countWaiting(RECOGNIZE_JOB);
    expect(waiting).to.equal(1);
    const worker = await world.memory.jobs.work({ [RECOGNIZE_JOB]: { concurrency: 1, run: () => Promise.resolve('done') } }, () => {});
    await worker.stop(1000);
    expect((await sweep(world.ports)()).jobsAdded).to.equal(0);
    world.memory.clock.set(held.lease.expiresAt);
    expect((await sweep(world.ports)()).jobsAdded).to.equal(1);
    expect((await world.stored(document.id)).status).to.equal('processing');
  });

  it('finishes what a deletion left when its process died or a worker held the document', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    const held = await world.claim();
    await deleteDocument(world.ports)(ada, document.id);
    expect((await sweep(world.ports)()).documentsPurged).to.equal(0);
    world.memory.clock.set(held.lease.expiresAt);
    expect((await sweep(world.ports)()).documentsPurged).to.equal(1);
    expect(await world.memory.documents.find(document.id)).to.equal(undefined);
    expect(await world.memory.blobs.stat(document.blobKey)).to.equal(undefined);
  });

  it('forgets sessions that have ended', async () => {
    const world = aWorld();
    const now = world.memory.clock.now();
    const session = { accountId: 'ada', refreshTokenDigest: 'x', createdAt: now };
    await world.memory.sessions.add({ ...session, id: 'old', expiresAt: now });
    await world.memory.sessions.add({ ...session, id: 'live', refreshTokenDigest: 'y', expiresAt: now + 1 });
    expect((await sweep(world.ports)()).sessionsEnded).to.equal(1);
    expect(await world.memory.sessions.find('live')).not.to.equal(undefined);
  });

  it('removes files that belong to no document once they are an hour old, and no others', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    const orphan = await world.receive(toyFile(CONTENT));
    world.memory.clock.advance(3_600_001);
    const young = await world.receive(toyFile(CONTENT));
    expect(await sweepBlobs(world.ports)()).to.equal(1);
    expect(await world.memory.blobs.stat(orphan.blobKey)).to.equal(undefined);
    expect(await world.memory.blobs.stat(young.blobKey)).not.to.equal(undefined);
    expect(await world.memory.blobs.stat(document.blobKey)).not.to.equal(undefined);
  });
});
