import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { acceptedId, jsonOf } from '../documents.ts';
import { blankPng } from '../samples.ts';
import { refusal, startService, storedFiles, type TestService, type TestUser } from '../service.ts';
import { eventually } from '../../../../test/expectations.ts';

describe('uploads with an idempotency key', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService();
    user = await service.signUp();
  });
  after(() => service.close());

  const upload = (
    key: string,
    { content = blankPng(), name = 'scan.png', title }: { content?: Uint8Array; name?: string; title?: string } = {},
  ): Promise<Response> => {
    const form = new FormData();
    if (title !== undefined) form.set('title', title);
    form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
    return user.fetch('/v1/documents', { method: 'POST', headers: { 'idempotency-key': key }, body: form });
  };
  const count = async (): Promise<number> =>
    (await jsonOf<{ paging: { total: number } }>(await user.fetch('/v1/documents'))).paging.total;

  it('a repeat gets the first answer again and creates no second document or file', async () => {
    const [documents, files] = [await count(), await storedFiles(service)];
    const first = await (await upload('key-1')).text();
    const again = await upload('key-1');
    expect([again.status, await again.text()]).to.deep.equal([200, first]);
    expect([await count(), await storedFiles(service)]).to.deep.equal([documents + 1, files + 1]);
  });

  it('another upload with the same key is refused and stores nothing', async () => {
    await upload('key-2');
    const [documents, files] = [await count(), await storedFiles(service)];
    for (const change of [{ content: blankPng(50) }, { name: 'other.png' }, { title: 'other' }]) {
      expect(await refusal(await upload('key-2', change))).to.include({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    expect([await count(), await storedFiles(service)]).to.deep.equal([documents, files]);
  });

  it('8 concurrent uploads with one key create one document', async () => {
    const [documents, files] = [await count(), await storedFiles(service)];
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload('key-3')));
    const ids = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 200) ids.add(await acceptedId(answer));
      else {
        expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
        expect(await refusal(answer)).to.include({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' });
      }
    }
    expect(ids.size).to.equal(1);
    expect([
      await count(),
      await eventually(async () => ((await storedFiles(service)) === files + 1 ? files + 1 : undefined)),
    ]).to.deep.equal([documents + 1, files + 1]);
  });

  it('a malformed key is refused', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'é']) {
      const [documents, files] = [await count(), await storedFiles(service)];
      expect(await refusal(await upload(key)), key).to.include({ status: 400, code: 'VALIDATION_ERROR' });
      expect([await count(), await storedFiles(service)]).to.deep.equal([documents, files]);
    }
  });

  it('a key can be used again after a refused upload', async () => {
    expect(await refusal(await upload('key-4', { title: 'x'.repeat(301) }))).to.include({ status: 400 });
    expect((await upload('key-4')).status).to.equal(200);
  });

  it('a repeat does not remove the file of the first upload', async () => {
    const id = await acceptedId(await upload('key-5', { content: blankPng(70) }));
    await upload('key-5', { content: blankPng(70) });
    const bytes = new Uint8Array(await (await user.fetch(`/v1/documents/${id}/download`)).arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(
      createHash('sha256').update(blankPng(70)).digest('hex'),
    );
  });
});
