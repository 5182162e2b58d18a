import { createUseCases, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { INDEX_JOB, type JobWorker } from '@palimpsest/core';
import { openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { startWorker } from '../src/worker.ts';

describe('a worker that is told to stop', () => {
  it('takes no more jobs, though a sweep is not over yet', async () => {
    const memory = openMemory();
    const config = readConfig({}, 2);
    const sweeping = Promise.withResolvers<number>();
    const stopped: number[] = [];
    const work: typeof memory.jobs.work = async (handlers, onError): Promise<JobWorker> => {
      expect(handlers).to.have.property(INDEX_JOB);
      const jobs = await memory.jobs.work(handlers, onError);
      return {
        stop: async (graceMs) => {
          stopped.push(graceMs);
          await jobs.stop(graceMs);
        },
      };
    };
    const ports = {
      ...memory,
      jobs: {
        work,
        enqueue: memory.jobs.enqueue.bind(memory.jobs),
        countWaiting: memory.jobs.countWaiting.bind(memory.jobs),
        countDue: memory.jobs.countDue.bind(memory.jobs),
      },
    };
    const useCases = { ...createUseCases(ports, config), sweepBlobs: () => sweeping.promise };
    const composition: Composition = { config, log: await openLog('silent'), ports, useCases, close: async () => {} };
    const worker = await startWorker(composition);
    const stopping = worker.stop(1000);
    expect(stopped).to.deep.equal([1000]);
    sweeping.resolve(0);
    await stopping;
  });
});
