import { RECOGNIZE_JOB, runRecognitionJob, type Ports } from '@palimpsest/core';
import { expect } from 'chai';
import { aWorld, instead, settings, takeJobs } from '../../world.ts';

const run = (ports: Ports, payload: { readonly wakesNext?: true }) =>
  runRecognitionJob(ports, settings)({ payload, signal: new AbortController().signal });

describe('runRecognitionJob', () => {
  it('queues the next job if its payload has wakesNext and a document is due', async () => {
    const { ports, upload } = aWorld();
    for (let i = 0; i < 2; i++) await upload({ pages: [{ text: 'x' }] });
    await takeJobs(ports, RECOGNIZE_JOB);
    expect(await run(ports, {})).to.have.nested.property('outcome.kind', 'completed');
    expect(await takeJobs(ports, RECOGNIZE_JOB)).to.deep.equal([]);
    expect(await run(ports, { wakesNext: true })).to.have.nested.property('outcome.kind', 'completed');
    expect(await takeJobs(ports, RECOGNIZE_JOB)).to.deep.equal([{ wakesNext: true }]);
    expect(await run(ports, { wakesNext: true })).to.equal(undefined);
    expect(await takeJobs(ports, RECOGNIZE_JOB), 'without a document, no next job').to.deep.equal([]);
  });

  it('queues the next job before it reads its document', async () => {
    const { ports, upload } = aWorld();
    await upload({ pages: [{ text: 'x' }] });
    const calls: string[] = [];
    const jobs = instead(ports.jobs, {
      enqueue: async (kind) => void calls.push(kind),
    });
    const blobs = instead(ports.blobs, {
      get: (key) => (calls.push('read'), ports.blobs.get(key)),
    });
    await run({ ...ports, jobs, blobs }, { wakesNext: true });
    expect(calls.slice(0, 2)).to.deep.equal([RECOGNIZE_JOB, 'read']);
  });

  it('works on its document if the next job cannot be queued, and reports that', async () => {
    const { ports, memory, upload } = aWorld();
    await upload({ pages: [{ text: 'x' }] });
    const jobs = instead(ports.jobs, {
      enqueue: (kind, ...rest) =>
        kind === RECOGNIZE_JOB ? Promise.reject(new Error('no queue')) : ports.jobs.enqueue(kind, ...rest),
    });
    expect(await run({ ...ports, jobs }, { wakesNext: true })).to.have.nested.property('outcome.kind', 'completed');
    expect(memory.faults.reports.map(({ error }) => String(error))).to.deep.equal(['Error: no queue']);
  });
});
