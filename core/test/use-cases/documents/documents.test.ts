import { expect } from 'chai';
import {
  AppError,
  deleteDocument,
  downloadDocument,
  getDocument,
  listDocuments,
  pageRequest,
  RECOGNIZE_JOB,
  reviseOcr,
  uploadDocument,
} from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { ada, aWorld, bob, codeOf, instead, tally, times } from '../../world.ts';

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

describe('documents of several owners', () => {
  it('are seen, read, revised and deleted only by their owner', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    for (const attempt of [
      getDocument(world.ports)(bob, id),
      downloadDocument(world.ports)(bob, id),
      reviseOcr(world.ports)(bob, id, 'mine'),
      deleteDocument(world.ports)(bob, id),
    ]) {
      expect(await codeOf(attempt)).to.equal('DOCUMENT_NOT_FOUND');
    }
    expect((await listDocuments(world.ports)(bob, pageRequest())).total).to.equal(0);
    expect((await listDocuments(world.ports)(ada, pageRequest())).total).to.equal(1);
    expect((await getDocument(world.ports)(ada, id)).ocr?.revision).to.equal(undefined);
  });
});

describe('reviseOcr', () => {
  it('keeps every revision beside the unchanged recognized text', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    await reviseOcr(world.ports)(ada, id, 'first');
    const { ocr: saved, version } = await reviseOcr(world.ports)(ada, id, 'second');
    expect(saved).to.deep.include({ text: 'read me', engine: 'memory' });
    expect(saved.revision).to.include({ number: 2, text: 'second' });
    expect(await getDocument(world.ports)(ada, id)).to.deep.include({ ocr: saved, version });
    expect((await world.memory.revisions.list(id)).map(({ text }) => text)).to.deep.equal(['second', 'first']);
  });

  it('refuses a revision of an outdated version, if the caller states its version', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    const { version } = await getDocument(world.ports)(ada, id);
    const first = await reviseOcr(world.ports)(ada, id, 'first', ['0-0', version]);
    for (const versions of [[version], [], ['', '-', `${version}0`, version.split('-')[0] ?? '']]) {
      expect(await codeOf(reviseOcr(world.ports)(ada, id, 'second', versions))).to.equal('REVISION_CONFLICT');
    }
    expect((await getDocument(world.ports)(ada, id)).ocr?.revision?.text).to.equal('first');
    await reviseOcr(world.ports)(ada, id, 'second', [first.version]);
    await reviseOcr(world.ports)(ada, id, 'third');
    expect((await getDocument(world.ports)(ada, id)).ocr?.revision).to.include({ number: 3, text: 'third' });
  });

  it('lets exactly one of five concurrent revisions of one version succeed', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    const { version } = await getDocument(world.ports)(ada, id);
    const attempts = times(5, (i) => reviseOcr(world.ports)(ada, id, `text ${i}`, [version]));
    expect(await tally(attempts)).to.deep.equal({ ok: 1, REVISION_CONFLICT: 4 });
  });

  it('leaves no revision if the document is deleted meanwhile', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    const jobs = instead(world.memory.jobs, {
      enqueue: async (...given) => {
        await deleteDocument(world.ports)(ada, id);
        await world.memory.jobs.enqueue(...given);
      },
    });
    expect(await codeOf(reviseOcr({ ...world.ports, jobs })(ada, id, 'secret'))).to.equal('DOCUMENT_NOT_FOUND');
    expect(await world.memory.revisions.list(id)).to.deep.equal([]);
    expect(await world.memory.searchIndex.versionOf(id)).to.equal(undefined);
  });

  it('refuses a document that is not completed, and text that cannot be stored', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    expect(await codeOf(reviseOcr(world.ports)(ada, id, 'x'))).to.equal('DOCUMENT_NOT_COMPLETED');
    await world.recognize(await world.claim());
    expect(await codeOf(reviseOcr(world.ports)(ada, id, '\0'))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(reviseOcr(world.ports)(ada, id, '\ud800'))).to.equal('VALIDATION_ERROR');
  });
});

describe('downloadDocument', () => {
  it('returns the uploaded bytes', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const { open } = await downloadDocument(world.ports)(ada, id);
    const parts: Uint8Array[] = [];
    for await (const chunk of await open()) parts.push(chunk);
    expect(Buffer.concat(parts).equals(toyFile(CONTENT))).to.equal(true);
  });

  it('throws FILE_NOT_STORED if no file is stored', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    await world.memory.blobs.delete(document.blobKey);
    expect(await codeOf(downloadDocument(world.ports)(ada, document.id))).to.equal('FILE_NOT_STORED');
    const blobs = instead(world.memory.blobs, {
      stat: async () => {
        await world.memory.documents.remove(document.id);
        return undefined;
      },
    });
    expect(await codeOf(downloadDocument({ ...world.ports, blobs })(ada, document.id)), 'deleted meanwhile').to.equal(
      'DOCUMENT_NOT_FOUND',
    );
  });
});

describe('deleteDocument', () => {
  it('removes the record, the pages, the revisions and the file', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const held = await world.claim();
    await world.recognize(held);
    await reviseOcr(world.ports)(ada, id, 'mine');
    await deleteDocument(world.ports)(ada, id);
    expect(await world.memory.documents.find(id)).to.equal(undefined);
    expect(await world.memory.pages.list(id, held.run)).to.deep.equal([]);
    expect(await world.memory.revisions.list(id)).to.deep.equal([]);
    expect(await blobKeys(world)).to.deep.equal([]);
    expect(await codeOf(deleteDocument(world.ports)(ada, id))).to.equal('DOCUMENT_NOT_FOUND');
  });

  it('succeeds if the file cannot be removed, and leaves that to the sweep', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const failing = {
      ...world.ports,
      blobs: {
        ...world.ports.blobs,
        delete: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'Gone.')),
      } as never,
    };
    await deleteDocument(failing)(ada, id);
    expect(await codeOf(getDocument(world.ports)(ada, id))).to.equal('DOCUMENT_NOT_FOUND');
    expect(world.memory.faults.reports).to.have.length(1);
    expect(await world.memory.documents.findPurgeable(world.memory.clock.now(), 10)).to.have.length(1);
  });
});
