import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { acceptedId } from '../documents.ts';
import { blankPng, padded, textPdf } from '../samples.ts';
import { refusal, startService, storedFiles, type TestService, type TestUser } from '../service.ts';
import { detail, TIMESTAMP } from './document-detail.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Accepted {
  readonly document: { readonly id: string; readonly status: string; readonly received_at: string };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('queued documents', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService();
    user = await service.signUp();
  });
  after(() => service.close());

  it('answers an upload with exactly the documented fields', async () => {
    const response = await user.upload(blankPng(), 'scan.png');
    const body = (await response.json()) as Accepted;
    expect(response.status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['document']);
    expect(Object.keys(body.document)).to.have.members(['id', 'status', 'received_at']);
    expect(body.document.id).to.match(UUID_V7);
    expect(body.document.status).to.equal('queued');
    expect(body.document.received_at).to.match(TIMESTAMP);
  });

  it('returns a document with exactly the documented fields', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'scan.png'));
    const body = await detail(user, id);
    expect(Object.keys(body)).to.have.members([
      'document',
      'original_filename',
      'content_type',
      'error_message',
      'ocr',
    ]);
    expect(Object.keys(body.document)).to.have.members(['id', 'title', 'status', 'received_at', 'processed_at']);
    expect(body).to.deep.include({
      original_filename: 'scan.png',
      content_type: 'image/png',
      error_message: null,
      ocr: null,
    });
    expect(body.document).to.deep.include({ title: 'scan', status: 'queued', processed_at: null });
  });

  it('keeps the given title and uses the file name if the title is blank', async () => {
    const titled = await detail(user, await acceptedId(await user.upload(blankPng(), 'a.png', 'Gas bill ✓')));
    const untitled = await detail(user, await acceptedId(await user.upload(blankPng(), 'gas bill.png', '  ')));
    expect(titled.document.title).to.equal('Gas bill ✓');
    expect(untitled.document.title).to.equal('gas bill');
  });

  it('refuses a title over 300 characters and stores nothing', async () => {
    const before = await storedFiles(service);
    const { status, code, message } = await refusal(await user.upload(blankPng(), 'a.png', 'x'.repeat(301)));
    expect([status, code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    expect(message).to.include('title').and.include('300');
    expect(await storedFiles(service)).to.equal(before);
  });

  it('lists documents newest first, in pages, with the total', async () => {
    const owner = await service.signUp();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await acceptedId(await owner.upload(blankPng(), `${i}.png`)));
    const read = async (query: string): Promise<{ items: { id: string }[]; paging: unknown }> =>
      (await (await owner.fetch(`/v1/documents${query}`)).json()) as { items: { id: string }[]; paging: unknown };
    const all = await read('');
    expect(all.items.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    expect(all.paging).to.deep.equal({ limit: 50, offset: 0, total: 5 });
    const part = await read('?limit=2&offset=1');
    expect(part.items.map(({ id }) => id)).to.deep.equal([ids[3], ids[2]]);
    expect(part.paging).to.deep.equal({ limit: 2, offset: 1, total: 5 });
    expect((await read('?limit=1000')).paging).to.deep.equal({ limit: 200, offset: 0, total: 5 });
    expect((await read('?offset=99999999999999999999')).items).to.deep.equal([]);
    expect(Object.keys(all.items[0] ?? {})).to.have.members(['id', 'title', 'status', 'received_at', 'processed_at']);
  });

  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=x',
    'limit=1e2',
    'limit=0x10',
    'limit=%205',
    'limit=1&limit=2',
    'offset=-1',
    'offset=NaN',
    'offset=Infinity',
  ]) {
    it(`refuses a list with ${query} and names the parameter`, async () => {
      const { status, code, message } = await refusal(await user.fetch(`/v1/documents?${query}`));
      expect([status, code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(message).to.include(query.split('=')[0]);
    });
  }

  it('ignores unknown query parameters', async () => {
    expect((await user.fetch('/v1/documents?sort=title&limit[$gt]=1')).status).to.equal(200);
  });

  it('downloads the original file as an attachment with its detected type', async () => {
    const file = blankPng(123, 45);
    const id = await acceptedId(await user.upload(file, 'résumé "日本".jpg'));
    const response = await user.fetch(`/v1/documents/${id}/download`);
    expect(response.status).to.equal(200);
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).to.equal(sha256(file));
    expect(response.headers.get('content-type')).to.equal('image/png');
    expect(response.headers.get('content-length')).to.equal(String(file.length));
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(response.headers.get('content-disposition')).to.match(
      /^attachment; filename=".*"; filename\*=UTF-8''r%C3%A9sum%C3%A9/,
    );
  });

  it('answers HEAD of a download with headers and no body', async () => {
    const file = blankPng();
    const id = await acceptedId(await user.upload(file, 'a.png'));
    const response = await user.fetch(`/v1/documents/${id}/download`, { method: 'HEAD' });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-length')).to.equal(String(file.length));
    expect(await response.text()).to.equal('');
  });

  it('answers FILE_NOT_STORED when the file of a document is missing', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'a.png'));
    await service.composition.ports.blobs.delete((await service.composition.ports.documents.find(id))?.blobKey ?? '');
    expect(await refusal(await user.fetch(`/v1/documents/${id}/download`))).to.include({
      status: 400,
      code: 'FILE_NOT_STORED',
    });
  });

  it('deletes the record and the file, and answers 404 to a second deletion', async () => {
    const before = await storedFiles(service);
    const id = await acceptedId(await user.upload(blankPng(), 'a.png'));
    const response = await user.fetch(`/v1/documents/${id}`, { method: 'DELETE' });
    expect(response.status).to.equal(204);
    expect(await response.text()).to.equal('');
    expect(await storedFiles(service)).to.equal(before);
    expect(await service.composition.ports.documents.find(id)).to.equal(undefined);
    expect(await refusal(await user.fetch(`/v1/documents/${id}`, { method: 'DELETE' }))).to.include({ status: 404 });
  });

  it('have no pages, exports and revisions yet: DOCUMENT_NOT_COMPLETED', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'scan.png'));
    for (const path of [
      '/pages',
      '/pages/1/words',
      '/pages/1/image',
      '/searchable-pdf',
      '/export?format=docx',
      '/export?format=xlsx',
      '/revisions',
      '/revisions/diff',
    ]) {
      expect(await refusal(await user.fetch(`/v1/documents/${id}${path}`)), path).to.include({
        status: 400,
        code: 'DOCUMENT_NOT_COMPLETED',
      });
    }
  });

  it('refuses a revision before the document is completed', async () => {
    const id = await acceptedId(await user.upload(blankPng(), 'a.png'));
    const response = await user.fetch(`/v1/documents/${id}/ocr`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"revised_text":"x"}',
    });
    expect(await refusal(response)).to.include({ status: 400, code: 'DOCUMENT_NOT_COMPLETED' });
  });

  it('accepts a file of exactly 25 MiB and refuses one byte more', async () => {
    const limit = 25 * 1024 * 1024;
    const before = await storedFiles(service);
    expect((await user.upload(padded(textPdf('x'), limit), 'a.pdf')).status).to.equal(200);
    expect(await refusal(await user.upload(padded(textPdf('x'), limit + 1), 'a.pdf'))).to.include({
      status: 413,
      code: 'FILE_TOO_LARGE',
    });
    expect(await storedFiles(service)).to.equal(before + 1);
  });
});
