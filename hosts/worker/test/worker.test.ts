import type { Document } from '@palimpsest/core';
import { openMemory, MemoryStore, type MemoryPorts } from '@palimpsest/memory';
import { expect } from 'chai';
import { startWorker } from '../src/worker.ts';
import { compositionOn, upload } from './composition-in-memory.ts';
import { eventually } from '../../../test/expectations.ts';

const PAGE = { pages: [{ text: 'x' }] };
const DAY_MS = 24 * 3_600_000;

const statuses = async ({ documents }: MemoryPorts): Promise<readonly string[]> =>
  (await documents.scan(undefined, 100)).map(({ status }: Document) => status);

describe('a worker', () => {
  it('completes a document whose upload could not queue its job', async () => {
    const memory = openMemory();
    const id = await upload({ ...memory, jobs: { enqueue: () => Promise.reject(new Error('down')) } as never }, PAGE);
    const worker = await startWorker(await compositionOn(memory));
    await eventually(async () => (await memory.documents.find(id))?.status === 'completed');
    await worker.stop(1000);
  });

  it('works on as many documents at once as it has slots, even if the jobs of all documents are lost', async () => {
    const memory = openMemory();
    const withoutJobs = { ...memory, jobs: { enqueue: () => Promise.reject(new Error('down')) } as never };
    for (let i = 0; i < 5; i++) await upload(withoutJobs, PAGE);
    const gate = Promise.withResolvers<void>();
    let working = 0;
    const composition = await compositionOn(memory);
    const { runRecognitionJob } = composition.useCases;
    const useCases: typeof composition.useCases = {
      ...composition.useCases,
      runRecognitionJob: async (job, onClaimed) => {
        const worked = await runRecognitionJob(job, (document) => {
          working++;
          onClaimed?.(document);
        });
        await gate.promise;
        return worked;
      },
    };
    const worker = await startWorker({ ...composition, useCases });
    const slots = composition.config.workerConcurrency * 2;
    await eventually(() => working === slots);
    gate.resolve();
    await eventually(async () => (await statuses(memory)).every((status) => status === 'completed'));
    await worker.stop(1000);
    expect(working).to.equal(5);
  });

  it('works on a document again when its back-off is over', async () => {
    const memory = openMemory();
    const id = await upload(memory, { pages: [{ text: 'x', fault: 'ENGINE_CRASHED' }] });
    const worker = await startWorker(await compositionOn(memory));
    const attempts = async (): Promise<number | undefined> => (await memory.documents.find(id))?.attempts;
    await eventually(async () => (await memory.documents.find(id))?.status === 'queued' && (await attempts()) === 1);
    memory.clock.advance(60_000);
    await eventually(async () => (await attempts()) === 2);
    await worker.stop(1000);
  });

  it('runs each maintenance job at the first start and then once per interval, also with a second worker', async () => {
    const [store, runs] = [new MemoryStore(), { cleanUp: 0, removeOrphanedFiles: 0, checkSearchIndex: 0 }];
    const memory = openMemory(store);
    const { clock } = memory;
    const useCases = {
      cleanUp: async () => (runs.cleanUp++, { documentsPurged: 0, accountsRemoved: 0, recordsExpired: 0 }),
      removeOrphanedFiles: async () => (runs.removeOrphanedFiles++, 0),
      checkSearchIndex: async () => (runs.checkSearchIndex++, { indexed: 0, removed: 0 }),
    };
    const workers = [
      await startWorker(await compositionOn(memory, useCases)),
      await startWorker(await compositionOn(openMemory(store, { clock }), useCases)),
    ];
    const ran = (cleanUps: number, removals: number, checks: number) => (): boolean =>
      runs.cleanUp === cleanUps && runs.removeOrphanedFiles === removals && runs.checkSearchIndex === checks;
    await eventually(ran(1, 1, 1));
    clock.advance(10_000);
    await eventually(ran(2, 1, 1));
    clock.advance(3_600_000);
    await eventually(ran(3, 2, 1));
    clock.advance(DAY_MS);
    await eventually(ran(4, 3, 2));
    await Promise.all(workers.map((worker) => worker.stop(1000)));
    expect(runs).to.deep.equal({ cleanUp: 4, removeOrphanedFiles: 3, checkSearchIndex: 2 });
  });

  it('starts no more jobs after stop() was called, and waits for a running maintenance job', async () => {
    const memory = openMemory();
    const removing = Promise.withResolvers<number>();
    let isRunning = false;
    const useCases = { removeOrphanedFiles: () => ((isRunning = true), removing.promise) };
    const worker = await startWorker(await compositionOn(memory, useCases));
    await eventually(() => isRunning);
    let isStopped = false;
    const stopping = worker.stop(1000).then(() => (isStopped = true));
    const id = await upload(memory, PAGE);
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).to.equal(false);
    expect((await memory.documents.find(id))?.status).to.equal('queued');
    removing.resolve(0);
    await stopping;
  });
});
