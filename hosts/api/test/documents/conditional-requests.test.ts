import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { exampleRequest, operations } from '../described-api.ts';
import { aCompletedDocument, acceptedId, jsonOf, revise } from '../documents.ts';
import { blankPng, textPdf } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const tagOf = (response: Response): string => response.headers.get('etag') ?? 'no tag';

describe('conditional and range requests', () => {
  let service: TestService;
  let user: TestUser;
  let id: string;
  const file = textPdf('The file whose parts are asked for, page one');
  const path = (rest = ''): string => `/v1/documents/${id}${rest}`;
  const get = (rest = '', headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    user.fetch(path(rest), { method, headers });

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
    id = await aCompletedDocument(user, ['The file whose parts are asked for, page one']);
  });
  after(() => service.close());

  describe('for a document', () => {
    it('If-None-Match gets 304 until a revision is saved', async () => {
      const first = await get();
      expect(tagOf(first)).to.match(/^"[^"]+"$/);
      const again = await get('', { 'if-none-match': tagOf(first) });
      expect([again.status, await again.text(), tagOf(again)]).to.deep.equal([304, '', tagOf(first)]);
      expect((await get('', { 'if-none-match': '"other"' })).status).to.equal(200);
      await revise(user, id, 'A correction');
      const after = await get('', { 'if-none-match': tagOf(first) });
      expect(after.status).to.equal(200);
      expect(tagOf(after)).not.to.equal(tagOf(first));
    });

    it('If-Match with the newest ETag saves the revision and returns the next ETag', async () => {
      const saved = await revise(user, id, 'One', { 'if-match': tagOf(await get()) });
      expect(saved.status).to.equal(200);
      expect(tagOf(saved)).to.equal(tagOf(await get()));
      expect((await revise(user, id, 'Two', { 'if-match': `"unknown", ${tagOf(saved)}` })).status).to.equal(200);
      expect((await revise(user, id, 'Three', { 'if-match': '*' })).status).to.equal(200);
      expect((await revise(user, id, 'Four')).status).to.equal(200);
    });

    for (const [what, header] of [
      ['an old tag', (old: string) => old],
      ['a weak tag', (_old: string, newest: string) => `W/${newest}`],
      ['another tag', () => '"1-1"'],
      ['a tag without quotes', (_old: string, newest: string) => newest.replaceAll('"', '')],
      ['an empty tag', () => '""'],
      ['nothing', () => ''],
    ] as const) {
      it(`If-Match with ${what} gets 412 and changes nothing`, async () => {
        const old = tagOf(await get());
        await revise(user, id, 'Mine');
        const newest = tagOf(await get());
        expect(await refusal(await revise(user, id, 'Yours', { 'if-match': header(old, newest) }))).to.include({
          status: 412,
          code: 'REVISION_CONFLICT',
        });
        expect(tagOf(await get())).to.equal(newest);
      });
    }
  });

  describe('for the original file', () => {
    it('the whole file has an ETag and Accept-Ranges', async () => {
      const response = await get('/download');
      expect(response.headers.get('accept-ranges')).to.equal('bytes');
      expect(tagOf(response)).to.equal(`"${sha256(file)}"`);
      expect(sha256(await bytesOf(response))).to.equal(sha256(file));
      expect((await get('/download', { 'if-none-match': tagOf(response) })).status).to.equal(304);
    });

    const size = file.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, size - 1],
      ['bytes=-7', size - 7, size - 1],
      ['bytes=5-99999999', 5, size - 1],
      [`bytes=-99999999`, 0, size - 1],
      ['bytes= 1-2', 1, 2],
    ] as const) {
      it(`Range "${range}" gets this part of the file`, async () => {
        const response = await get('/download', { range });
        expect(response.status).to.equal(206);
        expect(response.headers.get('content-range')).to.equal(`bytes ${start}-${end}/${size}`);
        expect(response.headers.get('content-length')).to.equal(String(end - start + 1));
        expect((await bytesOf(response)).equals(file.subarray(start, end + 1))).to.equal(true);
      });
    }

    for (const range of [`bytes=${size}-`, 'bytes=99999999999999-', 'bytes=-0', `bytes=${size}-${size + 5}`]) {
      it(`Range "${range}" after the last byte gets 416 with the size of the file`, async () => {
        const response = await get('/download', { range });
        expect(response.headers.get('content-range')).to.equal(`bytes */${size}`);
        expect(await refusal(response)).to.include({ status: 416, code: 'RANGE_NOT_SATISFIABLE' });
      });
    }

    for (const range of [
      'bytes',
      'bytes=',
      'bytes=abc',
      'lines=0-5',
      'bytes=5-1',
      'bytes=0-1,3-4',
      `bytes=${'0-,'.repeat(1000)}0-`,
      '0-5',
    ]) {
      it(`Range "${range.slice(0, 20)}", which is not one valid range, gets the whole file`, async () => {
        const response = await get('/download', { range });
        const body = await bytesOf(response);
        expect([response.status, body.length]).to.deep.equal([200, size]);
      });
    }

    it('HEAD ignores Range', async () => {
      for (const range of ['bytes=0-9', `bytes=${size}-`]) {
        const response = await get('/download', { range }, 'HEAD');
        expect([response.status, response.headers.get('content-length')]).to.deep.equal([200, String(size)]);
        expect(response.headers.get('content-range')).to.equal(null);
      }
    });

    it('If-Range with another ETag gets the whole file', async () => {
      const tag = tagOf(await get('/download', {}, 'HEAD'));
      expect((await get('/download', { range: 'bytes=0-9', 'if-range': tag })).status).to.equal(206);
      for (const other of ['"other"', `W/${tag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
        expect((await get('/download', { range: 'bytes=0-9', 'if-range': other })).status, other).to.equal(200);
      }
    });
  });

  describe('for the image of a page', () => {
    it('the image is cacheable by the client only, and If-None-Match gets 304', async () => {
      const first = await get('/pages/1/image');
      expect([first.status, first.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
      expect(first.headers.get('cache-control')).to.match(/^private, max-age=\d+$/);
      expect(first.headers.get('vary')).to.equal('Authorization');
      const again = await get('/pages/1/image', { 'if-none-match': tagOf(first) });
      expect([again.status, await again.text()]).to.deep.equal([304, '']);
    });

    it('an error has Cache-Control: no-store and no ETag', async () => {
      const queued = await acceptedId(await user.upload(blankPng(), 'a.png'));
      const response = await user.fetch(`/v1/documents/${queued}/pages/9/image`);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('etag')).to.equal(null);
      await refusal(response);
    });
  });

  it('HEAD gets the status and headers of GET without the body', async () => {
    const ofDocuments = operations.filter(({ method, path }) => method === 'get' && path.includes('{id}'));
    expect(ofDocuments.length).to.be.at.least(10);
    const revised = await aCompletedDocument(user);
    expect((await revise(user, revised, 'What was read')).status).to.equal(200);
    for (const operation of ofDocuments) {
      const { path } = exampleRequest(operation, { id: revised });
      const [whole, head] = [await user.fetch(path), await user.fetch(path, { method: 'HEAD' })];
      expect(head.status, path).to.equal(200);
      expect(await head.text(), path).to.equal('');
      await whole.arrayBuffer();
      for (const name of ['content-type', 'content-disposition', 'etag', 'accept-ranges', 'cache-control']) {
        expect(head.headers.get(name), `${path} ${name}`).to.equal(whole.headers.get(name));
      }
    }
    for (const address of [
      '/v1/documents',
      '/v1/documents/search?q=page',
      '/v1/auth/me',
      '/openapi.json',
      '/docs',
      '/healthz',
      '/readyz',
    ]) {
      expect((await user.fetch(address, { method: 'HEAD' })).status, address).to.equal(200);
    }
    const events = await get('/events', {}, 'HEAD');
    expect([events.status, events.headers.get('content-type')]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect((await jsonOf<{ document: { id: string } }>(await get())).document.id).to.equal(id);
  });
});
