import { deleteDocument, getDocument, reviseOcr } from '@palimpsest/core';
import { expect } from 'chai';
import { ada, aWorld, codeOf, instead, tally, times } from '../../world.ts';

const CONTENT = { pages: [{ text: 'read me' }] };

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
