import { exportDocument, reviseOcr } from '@palimpsest/core';
import { readToyExport } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, all, aRead, codeOf, instead } from '../../world.ts';

describe('exportDocument', () => {
  const take = async (
    { ports, id }: Awaited<ReturnType<typeof aRead>>,
    format: 'docx' | 'xlsx',
    formatted: boolean,
  ) => {
    const { filename, mediaType, bytes } = await exportDocument(ports)(ada, id, format, formatted);
    return { filename, mediaType, says: readToyExport(Buffer.concat(await all(bytes()))) };
  };

  it('writes the requested format, with a file name from the title', async () => {
    const world = await aRead();
    const docx = await take(world, 'docx', true);
    const xlsx = await take(world, 'xlsx', true);
    expect([docx.filename, docx.says.format]).to.deep.equal(['A- letter-1.docx', 'docx']);
    expect([xlsx.filename, xlsx.says.format]).to.deep.equal(['A- letter-1.xlsx', 'xlsx']);
    expect(docx.mediaType).to.match(/wordprocessingml\.document$/);
    expect(xlsx.mediaType).to.match(/spreadsheetml\.sheet$/);
  });

  it('writes title and pages if it is formatted, otherwise only the text', async () => {
    const world = await aRead();
    const { says } = await take(world, 'docx', true);
    expect(says.heading).to.equal('A: letter/1');
    expect(says.lines.map(({ text, page }) => [text, page])).to.deep.equal([
      ['one two', 1],
      ['this page has a layer of its own', 2],
    ]);
    expect((await take(world, 'docx', false)).says.heading).to.equal(undefined);
  });

  it('writes the current text', async () => {
    const world = await aRead();
    await reviseOcr(world.ports)(ada, world.id, 'mine');
    expect((await take(world, 'xlsx', false)).says.lines.map(({ text }) => text)).to.deep.equal(['mine']);
  });

  it('throws OCR_RESULT_NOT_AVAILABLE if no text is stored, like reviseOcr', async () => {
    const { ports, memory, id } = await aRead();
    await memory.pages.removeAll(id);
    expect(await codeOf(exportDocument(ports)(ada, id, 'docx', true))).to.equal('OCR_RESULT_NOT_AVAILABLE');
    expect(await codeOf(reviseOcr(ports)(ada, id, 'x'))).to.equal('OCR_RESULT_NOT_AVAILABLE');
    const pages = instead(memory.pages, {
      list: async () => {
        await memory.documents.remove(id);
        return [];
      },
    });
    expect(await codeOf(exportDocument({ ...ports, pages })(ada, id, 'docx', true)), 'deleted meanwhile').to.equal(
      'DOCUMENT_NOT_FOUND',
    );
  });
});
