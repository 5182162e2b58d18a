import { createUseCases, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { receiveFile, uploadDocument, type Cancellation } from '@palimpsest/core';
import { openMemory, toyFile, type MemoryPorts, type ToyContent } from '@palimpsest/memory';
import { expect } from 'chai';
import { recognitionJobs } from '../src/recognition-jobs.ts';

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

const upload = async (memory: MemoryPorts, content: ToyContent): Promise<{ readonly id: string }> => {
  const bytes = (async function* () {
    yield toyFile(content);
  })();
  return uploadDocument(memory)({
    actor: { accountId: 'ada' },
    file: await receiveFile(memory)(bytes),
    filename: 'a.pdf',
  });
};

const running = (signal: Cancellation = new AbortController().signal) => ({ payload: {}, signal });

describe('a recognition job', () => {
  it('is done when its document is completed or failed, and when there is nothing to do', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await aComposition(memory));
    const good = await upload(memory, { pages: [{ text: 'x' }] });
    const bad = await upload(memory, { pages: [], fault: 'DOCUMENT_DAMAGED' });
    expect([await job.run(running()), await job.run(running()), await job.run(running())]).to.deep.equal([
      'done',
      'done',
      'done',
    ]);
    expect((await memory.documents.find(good.id))?.status).to.equal('completed');
    expect((await memory.documents.find(bad.id))?.status).to.equal('failed');
  });

  it('runs again when its document was put off, at the moment that the document is due', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await aComposition(memory));
    const { id } = await upload(memory, { pages: [{ text: 'x', fault: 'ENGINE_CRASHED' }] });
    const outcome = await job.run(running());
    const document = await memory.documents.find(id);
    expect(outcome).to.deep.equal({ retryAt: document?.status === 'queued' && document.notBefore });
  });

  it('runs again at once when it was stopped, and hands its document back', async () => {
    const memory = openMemory();
    const job = recognitionJobs(await aComposition(memory));
    const { id } = await upload(memory, { pages: [{ text: 'x' }] });
    expect(await job.run(running(AbortSignal.abort(new Error('stopping'))))).to.deep.equal({
      retryAt: memory.clock.now(),
    });
    expect(await memory.documents.find(id)).to.include({ status: 'queued', attempts: 0 });
  });
});
