import type { Cancellation } from '@palimpsest/core';
import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { recognitionJobs } from '../src/recognition-jobs.ts';
import { compositionOn, upload } from './composition-in-memory.ts';

const running = (signal: Cancellation = new AbortController().signal) => ({ payload: {}, signal });

describe('a recognition job', () => {
  it('is done when its document is completed or failed, and when there is nothing to do', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await compositionOn(memory));
    const good = await upload(memory, { pages: [{ text: 'x' }] });
    const bad = await upload(memory, { pages: [], fault: 'DOCUMENT_DAMAGED' });
    expect([await job.run(running()), await job.run(running()), await job.run(running())]).to.deep.equal([
      'done',
      'done',
      'done',
    ]);
    expect((await memory.documents.find(good))?.status).to.equal('completed');
    expect((await memory.documents.find(bad))?.status).to.equal('failed');
  });

  it('is done when its document is delayed, because a recurring job finds the document later', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await compositionOn(memory));
    const id = await upload(memory, { pages: [{ text: 'x', fault: 'ENGINE_CRASHED' }] });
    expect(await job.run(running())).to.equal('done');
    expect((await memory.documents.find(id))?.status).to.equal('queued');
  });

  it('runs again at once when it was stopped, and returns its document to the queue', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await compositionOn(memory));
    const id = await upload(memory, { pages: [{ text: 'x' }] });
    expect(await job.run(running(AbortSignal.abort(new Error('stopping'))))).to.deep.equal({
      retryAt: memory.clock.now(),
    });
    expect(await memory.documents.find(id)).to.include({ status: 'queued', attempts: 0 });
  });
});
