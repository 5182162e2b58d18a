import { createUseCases, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { INDEX_JOB, parseSearchQuery, receiveFile, uploadDocument } from '@palimpsest/core';
import { openMemory, toyFile, type MemoryPorts } from '@palimpsest/memory';
import { expect } from 'chai';
import { startWorker } from '../src/worker.ts';

const aComposition = async (memory: MemoryPorts): Promise<Composition> => {
  const config = readConfig({}, 2);
  return {
    config,
    log: await openLog('silent'),
    ports: memory,
    useCases: createUseCases(memory, config),
    close: async () => {},
  };
};

const upload = async (memory: MemoryPorts): Promise<string> => {
  const bytes = (async function* () {
    yield toyFile({ pages: [{ text: 'wheat' }] });
  })();
  return (
    await uploadDocument(memory)({
      actor: { accountId: 'ada' },
      file: await receiveFile(memory)(bytes),
      filename: 'a.pdf',
      title: 'Grain',
    })
  ).id;
};

const found = async ({ searchIndex }: MemoryPorts): Promise<readonly string[]> =>
  (await searchIndex.search('ada', parseSearchQuery('grain'), { limit: 9, offset: 0 })).items;

/** Lets the worker go on until `condition` holds. */
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let turns = 0; !(await condition()); turns++) {
    if (turns > 10_000) throw new Error('it never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('a worker', () => {
  it('indexes at its start what no search finds, as the documents of a database from before there was an index', async () => {
    const memory = openMemory();
    const id = await upload(memory);
    const first = await startWorker(await aComposition(memory));
    // A completed document is nothing that a worker would index because it works on it.
    await until(async () => (await memory.documents.find(id))?.status === 'completed');
    await first.stop(1000);
    await memory.searchIndex.remove(id);
    const worker = await startWorker(await aComposition(memory));
    try {
      await until(async () => (await found(memory)).length === 1);
    } finally {
      await worker.stop(1000);
    }
    expect(await found(memory)).to.deep.equal([id]);
  });

  it('does the jobs that see to the index', async () => {
    const memory = openMemory();
    const id = await upload(memory);
    const worker = await startWorker(await aComposition(memory));
    await until(async () => (await memory.documents.find(id))?.status === 'completed');
    await memory.searchIndex.remove(id);
    await memory.jobs.enqueue(INDEX_JOB, { documentId: id });
    try {
      await until(async () => (await found(memory)).length === 1);
    } finally {
      await worker.stop(1000);
    }
    expect(await found(memory)).to.deep.equal([id]);
  });
});
