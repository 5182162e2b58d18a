import { AppError } from '@palimpsest/core';
import { expect } from 'chai';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';
import { blankPng } from '../samples.ts';
import { eventually } from '../../../../test/expectations.ts';

describe('internal errors', () => {
  let service: TestService;
  let user: TestUser;

  beforeEach(async () => {
    service = await startService();
    user = await service.signUp();
  });
  afterEach(() => service.close());

  const unavailable = (): Promise<never> =>
    Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'mongodb://user:secret@db cannot be reached.'));
  const broken = (): Promise<never> => Promise.reject(new Error('SELECT secret FROM /var/lib/x.db'));

  it('/readyz answers 503 and names the missing dependency without details, while /healthz answers 200', async () => {
    const { documents, blobs } = service.composition.ports;
    blobs.check = broken;
    const one = await fetch(`${service.url}/readyz`);
    expect(one.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    const { status, code, message } = await refusal(one);
    expect([status, code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    expect(message)
      .to.include('blob store')
      .and.not.match(/database|SELECT|var/);
    documents.check = broken;
    expect((await refusal(await fetch(`${service.url}/readyz`))).message)
      .to.include('blob store')
      .and.include('database');
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
  });

  it('an unavailable dependency gets 503 with Retry-After', async () => {
    const { documents, blobs } = service.composition.ports;
    documents.list = unavailable;
    const response = await user.fetch('/v1/documents');
    expect(response.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    const { status, code, message } = await refusal(response);
    expect([status, code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    expect(message).not.to.include('secret');
    blobs.put = unavailable;
    expect(await refusal(await user.upload(blankPng(), 'a.png'))).to.include({ status: 503 });
  });

  it('an unexpected error gets 500 with a request id and no details', async () => {
    service.composition.ports.documents.list = broken;
    const response = await user.fetch('/v1/documents');
    expect(response.headers.get('x-request-id')).not.to.equal(null);
    const { status, code, message } = await refusal(response);
    expect([status, code]).to.deep.equal([500, 'INTERNAL_ERROR']);
    expect(message).not.to.match(/SELECT|secret|var/);
  });

  it('an error before the first byte of a file gets an error response, a later one closes the connection', async () => {
    const { blobs } = service.composition.ports;
    const { document } = (await (await user.upload(blankPng(), 'a.png')).json()) as { document: { id: string } };
    const failing = (pieces: number) => async () =>
      (async function* () {
        for (let i = 0; i < pieces; i++) yield new Uint8Array(10);
        throw new AppError('SERVICE_UNAVAILABLE', 'the disk is gone');
      })();
    blobs.get = failing(0);
    const response = await user.fetch(`/v1/documents/${document.id}/download`, { headers: { range: 'bytes=0-9' } });
    for (const name of ['content-disposition', 'content-range', 'accept-ranges'])
      expect(response.headers.get(name), name).to.equal(null);
    expect(await refusal(response)).to.include({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    blobs.get = failing(2);
    const cut = await user.fetch(`/v1/documents/${document.id}/download`);
    expect(
      await cut.arrayBuffer().then(
        () => 'whole',
        () => 'cut off',
      ),
    ).to.equal('cut off');
  });

  it('a client that disconnects during a download is logged at level debug only', async () => {
    const { ports, log } = service.composition;
    const levels: string[] = [];
    for (const level of ['error', 'debug'] as const) log[level] = (): void => void levels.push(level);
    const { document } = (await (await user.upload(blankPng(), 'a.png')).json()) as { document: { id: string } };
    const { promise: disconnected, resolve } = Promise.withResolvers<void>();
    log.info = (fields: object): void => {
      if ('aborted' in fields) resolve();
    };
    ports.blobs.get = async () =>
      (async function* () {
        yield new Uint8Array(10);
        await disconnected;
        yield new Uint8Array(10);
      })();
    const stop = new AbortController();
    await user.fetch(`/v1/documents/${document.id}/download`, { signal: stop.signal });
    stop.abort();
    await eventually(async () => levels.length > 0);
    expect(levels).to.deep.equal(['debug']);
  });

  it('an error response does not have the headers of the failed response', async () => {
    const { useCases } = service.composition;
    const document = {
      sha256: 'a'.repeat(64),
      version: 1,
      byteSize: 1000,
      mediaType: 'application/pdf',
      originalFilename: 'a.pdf',
      title: 'A',
    };
    async function* nothing(): AsyncGenerator<Uint8Array> {
      yield await broken();
    }
    Object.assign(useCases, {
      makeSearchablePdf: () => Promise.resolve({ filename: 'A.pdf', version: 'v1', write: broken }),
      downloadDocument: () => Promise.resolve({ document, open: () => Promise.resolve(nothing()) }),
    });
    for (const rest of ['searchable-pdf', 'download']) {
      const response = await user.fetch(`/v1/documents/01890a5d-ac96-774b-bcce-b302099a8057/${rest}`);
      for (const name of ['etag', 'content-disposition'])
        expect(response.headers.get(name), `${rest} ${name}`).to.equal(null);
      expect(response.headers.get('content-type')).to.match(/^application\/json\b/);
      const length = Number(response.headers.get('content-length'));
      expect(length, rest).to.equal((await response.clone().arrayBuffer()).byteLength);
      expect(await refusal(response), rest).to.include({ status: 500, code: 'INTERNAL_ERROR' });
    }
  });

  it('an upload keeps its file after an unknown error of the database, because its record may be stored', async () => {
    const { documents, blobs } = service.composition.ports;
    documents.add = broken;
    expect(await refusal(await user.upload(blankPng(), 'a.png'))).to.include({ status: 500 });
    const keys: string[] = [];
    for await (const { key } of blobs.list()) keys.push(key);
    expect(keys).to.have.length(1);
  });
});
