import { type Actor, RECOGNIZE_JOB, uploadDocument } from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aWorld, bob, codeOf, instead } from '../../world.ts';

const CONTENT = { pages: [{ text: 'read me' }] };

const blobKeys = async ({ memory }: ReturnType<typeof aWorld>): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of memory.blobs.list()) keys.push(key);
  return keys;
};

describe('uploadDocument', () => {
  it('stores the file, the record and a job', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    expect(await world.stored(document.id)).to.deep.equal(document);
    expect(document).to.include({
      status: 'queued',
      ownerId: 'ada',
      title: 'scan',
      originalFilename: 'scan.pdf',
      mediaType: 'application/pdf',
      attempts: 0,
      version: 1,
    });
    expect(await blobKeys(world)).to.deep.equal([document.blobKey]);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(1);
  });

  it('stores nothing of a refused file', async () => {
    const world = aWorld();
    expect(await codeOf(world.receive(new TextEncoder().encode('<html>')))).to.equal('UNSUPPORTED_FILE_TYPE');
    expect(await codeOf(world.receive(new Uint8Array()))).to.equal('EMPTY_FILE');
    expect(await blobKeys(world)).to.deep.equal([]);
  });

  it('accepts the document if its job cannot be added, and reports that', async () => {
    const jobs = { ...aWorld().memory.jobs, enqueue: () => Promise.reject(new Error('no queue')) } as never;
    const world = aWorld({ jobs });
    const document = await world.upload(CONTENT);
    expect((await world.stored(document.id)).status).to.equal('queued');
    expect(world.memory.faults.reports).to.have.length(1);
  });

  it('discards the file of a refused upload', async () => {
    const world = aWorld();
    const file = await world.receive(toyFile(CONTENT));
    const request = { actor: ada, file, filename: 'a.pdf', title: 'x'.repeat(301) };
    expect(await codeOf(uploadDocument(world.ports)(request))).to.equal('VALIDATION_ERROR');
    expect(await blobKeys(world)).to.deep.equal([]);
  });
});

describe('uploadDocument with an idempotency key', () => {
  const isStored = async (world: ReturnType<typeof aWorld>, key: string): Promise<boolean> =>
    (await world.memory.blobs.stat(key)) !== undefined;

  const upload = async (
    world: ReturnType<typeof aWorld>,
    given: { key?: string; filename?: string; title?: string; text?: string; actor?: Actor } = {},
  ) => {
    const { key = 'k', filename = 'scan.pdf', title, text = 'x', actor = ada } = given;
    const file = await world.receive(toyFile({ pages: [{ text }] }));
    const accepted = await uploadDocument(world.ports)({
      actor,
      file,
      filename,
      key,
      ...(title !== undefined && { title }),
    });
    const document = await world.stored(accepted.id);
    return { ...accepted, isNew: document.blobKey === file.blobKey, isStored: await isStored(world, file.blobKey) };
  };

  it('creates one document from repeats, returns the first answer, and discards the repeated files', async () => {
    const world = aWorld();
    const first = await upload(world);
    world.memory.clock.advance(60_000);
    const again = await upload(world);
    expect([first.isNew, again.isNew]).to.deep.equal([true, false]);
    expect([first.isStored, again.isStored]).to.deep.equal([true, false]);
    expect(again).to.deep.include({ id: first.id, receivedAt: first.receivedAt });
    expect((await world.memory.documents.list('ada', { limit: 9, offset: 0 })).total).to.equal(1);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(1);
  });

  it('refuses the key with another file, name or title', async () => {
    const world = aWorld();
    await upload(world);
    for (const given of [{ text: 'y' }, { filename: 'other.pdf' }, { title: 'other' }]) {
      expect(await codeOf(upload(world, given)), JSON.stringify(given)).to.equal('IDEMPOTENCY_KEY_REUSED');
    }
    expect((await upload(world, { title: 'scan' })).isNew, 'the title that the file name gives').to.equal(false);
    expect((await upload(world, { key: 'other' })).isNew).to.equal(true);
    expect((await upload(world, { actor: bob })).isNew).to.equal(true);
  });

  it('creates no second document after the process died between the document and the answer', async () => {
    const world = aWorld();
    const died = new Error('the process died');
    const idempotency = instead(world.memory.idempotency, { answer: () => Promise.reject(died) });
    const first = await upload(aWorld({ ...world.memory, idempotency }));
    expect(await codeOf(upload(world))).to.equal('IDEMPOTENCY_KEY_IN_USE');
    world.memory.clock.advance(60_000);
    const again = await upload(world);
    expect(again).to.deep.include({ id: first.id, receivedAt: first.receivedAt, isNew: false });
    expect((await world.memory.documents.list('ada', { limit: 9, offset: 0 })).total).to.equal(1);
  });

  it('frees the key of a refused upload', async () => {
    const world = aWorld();
    expect(await codeOf(upload(world, { title: 'x'.repeat(301) }))).to.equal('VALIDATION_ERROR');
    expect((await upload(world)).isNew).to.equal(true);
  });
});
