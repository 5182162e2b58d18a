import { expect } from 'chai';
import { findWaitingDocuments, RECOGNIZE_JOB } from '@palimpsest/core';
import { aWorld, takeJobs } from '../../world.ts';

const CONTENT = { pages: [{ text: 'x' }] };

describe('findWaitingDocuments', () => {
  it('queues one recognition job when the process died between an upload and its job', async () => {
    const world = aWorld();
    const noJobs = { enqueue: () => Promise.reject(new Error('the process died')) } as never;
    const dying = aWorld({ ...world.memory, jobs: noJobs });
    for (let i = 0; i < 3; i++) await dying.upload(CONTENT);
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.deep.equal([{ wakesNext: true }]);
  });

  it('queues a job for a document whose worker died, when its lease has expired', async () => {
    const world = aWorld();
    await world.upload(CONTENT);
    const held = await world.claim();
    await takeJobs(world.ports, RECOGNIZE_JOB);
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.deep.equal([]);
    world.memory.clock.set(held.lease.expiresAt);
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.have.length(1);
  });

  it('queues a job for a document whose back-off is over, not earlier', async () => {
    const world = aWorld();
    await world.upload({ pages: [{ text: 'x', fault: 'ENGINE_CRASHED' }] });
    const outcome = await world.recognize(await world.claim());
    if (outcome.kind !== 'postponed') throw new Error('The document was not postponed');
    await takeJobs(world.ports, RECOGNIZE_JOB);
    world.memory.clock.set(outcome.retryAt - 1);
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.deep.equal([]);
    world.memory.clock.set(outcome.retryAt);
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.have.length(1);
  });

  it('queues nothing when no document waits', async () => {
    const world = aWorld();
    await findWaitingDocuments(world.ports)();
    expect(await takeJobs(world.ports, RECOGNIZE_JOB)).to.deep.equal([]);
  });
});
