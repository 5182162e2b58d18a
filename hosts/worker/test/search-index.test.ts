import { INDEX_JOB, parseSearchQuery, type JobWorker } from '@palimpsest/core';
import { openMemory, type MemoryPorts } from '@palimpsest/memory';
import { expect } from 'chai';
import { startWorker } from '../src/worker.ts';
import { compositionOn, upload } from './composition-in-memory.ts';
import { eventually } from '../../../test/expectations.ts';

const found = async ({ searchIndex }: MemoryPorts): Promise<readonly string[]> =>
  (await searchIndex.search('ada', parseSearchQuery('grain'), { limit: 9, offset: 0 })).items;

describe('the search index of a running worker', () => {
  let memory: MemoryPorts;
  let worker: JobWorker;
  let id: string;

  // A running worker completes a document. Then the index entry of the document is lost.
  beforeEach(async () => {
    memory = openMemory();
    id = await upload(memory, { pages: [{ text: 'wheat' }] }, { title: 'Grain' });
    worker = await startWorker(await compositionOn(memory));
    await eventually(async () => (await memory.documents.find(id))?.status === 'completed');
    await memory.searchIndex.remove(id);
  });
  afterEach(() => worker.stop(1000));

  it('contains a lost entry again after the daily check', async () => {
    memory.clock.advance(24 * 3_600_000);
    await eventually(async () => (await found(memory)).length === 1);
    expect(await found(memory)).to.deep.equal([id]);
  });

  it('contains a lost entry again after an index job', async () => {
    await memory.jobs.enqueue(INDEX_JOB, { documentId: id });
    await eventually(async () => (await found(memory)).length === 1);
    expect(await found(memory)).to.deep.equal([id]);
  });
});
