import { RECOGNIZE_JOB, reprocessDocument } from '@palimpsest/core';
import { expect } from 'chai';
import { ada, aRead, aWorld, bob, codeOf, instead, tally, times } from '../../world.ts';

describe('reprocessDocument', () => {
  it('puts a failed document back into the queue, with a job and all attempts', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    const jobs = await world.memory.jobs.countWaiting(RECOGNIZE_JOB);
    const queued = await reprocessDocument(world.ports)(ada, id);
    expect(queued).to.include({ id, status: 'queued', attempts: 0 });
    expect(await world.stored(id)).to.deep.equal(queued);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(jobs + 1);
    expect((await world.claim()).id).to.equal(id);
  });

  it('refuses a document that did not fail, and documents of other owners', async () => {
    const world = await aRead();
    expect(await codeOf(reprocessDocument(world.ports)(ada, world.id))).to.equal('DOCUMENT_NOT_FAILED');
    expect(await codeOf(reprocessDocument(world.ports)(bob, world.id))).to.equal('DOCUMENT_NOT_FOUND');
  });

  it('lets exactly one of five concurrent calls succeed', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    expect(await tally(times(5, () => reprocessDocument(world.ports)(ada, id)))).to.deep.equal({
      ok: 1,
      DOCUMENT_NOT_FAILED: 4,
    });
  });

  it('succeeds if its job cannot be added, and reports that', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    const jobs = instead(world.memory.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    await reprocessDocument({ ...world.ports, jobs })(ada, id);
    expect((await world.stored(id)).status).to.equal('queued');
    expect(world.memory.faults.reports).to.have.length(1);
  });
});
