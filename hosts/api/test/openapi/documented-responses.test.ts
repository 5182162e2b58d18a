import { expect } from 'chai';
import { operations, type Described } from '../described-api.ts';
import { acceptedId, finalStatus, revise } from '../documents.ts';
import { ResponseCheck } from '../response-check.ts';
import { blankPng, textPdf } from '../samples.ts';
import { refusal, startService, type TestService, type TestUser } from '../service.ts';

const ACCOUNT = 'Account'; // other tests cover the responses of accounts

// `fetch` of the test service compares each response with the OpenAPI document. This test checks that each kind occurs.
describe('responses of the service compared with the OpenAPI document', function () {
  this.timeout(300_000); // it requests every endpoint, which takes long on a busy machine

  let service: TestService;
  let user: TestUser;
  let id: string;

  before(async () => {
    service = await startService({ worker: true });
    user = await service.signUp();
    id = await acceptedId(await user.upload(textPdf('What was read on this page of paper'), 'scan.pdf'));
    expect(await finalStatus(user, id)).to.equal('completed');
    expect((await revise(user, id, 'What was read upon this page of paper')).status).to.equal(200);
  });
  after(() => service.close());

  const describedBy = (method: string, path: string): Described | undefined => {
    const template = new ResponseCheck().templateOf(path);
    return operations.find((operation) => operation.path === template && operation.method === method.toLowerCase());
  };

  it('every successful response, file and stream of the OpenAPI document occurs and matches it', async () => {
    const seen = new Set<string>();
    const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const response = await user.fetch(path, init);
      const described = describedBy(init.method ?? 'GET', new URL(path, service.url).pathname);
      seen.add(
        `${described?.operation.operationId} ${response.status} ${response.headers.get('content-type')?.split(';')[0] ?? ''}`.trim(),
      );
      return response;
    };
    const askAgain = async (path: string): Promise<void> => {
      const etag = (await ask(path)).headers.get('etag') ?? '';
      await ask(path, { headers: { 'if-none-match': etag } });
    };
    const document = `/v1/documents/${id}`;
    const form = (bytes: Uint8Array): FormData => {
      const body = new FormData();
      body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'another.pdf');
      return body;
    };

    await ask('/v1/documents');
    await ask('/v1/documents/search?q=paper');
    await askAgain(document);
    await askAgain(`${document}/download`);
    await ask(`${document}/download`, { headers: { range: 'bytes=0-3' } });
    for (const bytes of [blankPng(), Buffer.from([0xff, 0xd8, 0xff])])
      await ask(`/v1/documents/${await acceptedId(await user.upload(bytes, 'a'))}/download`);
    await ask(`${document}/email`, { method: 'POST' });
    await ask(`${document}/ocr`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"revised_text":""}',
    });
    for (const format of ['docx', 'xlsx']) await ask(`${document}/export?format=${format}`);
    await ask(`${document}/pages`);
    await ask(`${document}/pages/1/words`);
    await askAgain(`${document}/pages/1/image`);
    await askAgain(`${document}/searchable-pdf`);
    await ask(`${document}/revisions`);
    await ask(`${document}/revisions/diff`);

    const stream = await (await ask(`${document}/events`)).text();
    const [, data] = /^data: (.*)$/m.exec(stream) ?? [];
    expect(new ResponseCheck().faultsOf('/components/schemas/StatusEvent', JSON.parse(data ?? 'null'))).to.deep.equal(
      [],
    );
    const [, version] = /^id: (.*)$/m.exec(stream) ?? [];
    await ask(`${document}/events`, { headers: { 'last-event-id': version ?? '' } });

    const broken = (
      (await (await ask('/v1/documents', { method: 'POST', body: form(Buffer.from('%PDF-1.7\n')) })).json()) as {
        document: { id: string };
      }
    ).document.id;
    expect(await finalStatus(user, broken)).to.equal('failed');
    await ask(`/v1/documents/${broken}/reprocess`, { method: 'POST' });
    await ask(`/v1/documents/${broken}`, { method: 'DELETE' });

    for (const path of ['/healthz', '/readyz', '/verify-email?token=x', '/reset-password?token=x', '/forgot-password'])
      await ask(path);
    await askAgain('/openapi.json');
    await askAgain('/docs');
    const parts = [...(await (await ask('/docs')).text()).matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(
      ([, part]) => `/${part}`,
    );
    for (const part of parts) await askAgain(part);

    const described = operations
      .filter(({ operation }) => !operation.tags.includes(ACCOUNT))
      .flatMap(({ operation }) =>
        Object.entries(operation.responses)
          .filter(([status]) => /^[23]/.test(status))
          .flatMap(([status, { content }]) =>
            (content ? Object.keys(content) : ['']).map((type) => `${operation.operationId} ${status} ${type}`.trim()),
          ),
      )
      // The page images have one type, and the types of ranges are those of whole files.
      .filter((answer) => answer !== 'getPageImage 200 image/webp' && !answer.startsWith('downloadDocument 206 image'));
    expect([...seen].sort(), 'this test requests each documented successful response once').to.deep.equal(
      described.sort(),
    );
  });

  it('every endpoint with a JSON body refuses malformed bodies with the documented codes', async () => {
    const own = await service.signUp();
    const withBody = operations.filter(
      ({ operation }) => operation.requestBody?.content['application/json'] !== undefined,
    );
    expect(withBody.length).to.be.above(8);
    for (const { method, path, operation } of withBody) {
      const send = async (body: string, headers: Record<string, string>): Promise<string> => {
        const response = await own.fetch(path.replace('{id}', id), { method: method.toUpperCase(), headers, body });
        return (await refusal(response)).code;
      };
      const json = { 'content-type': 'application/json' };
      const limit = operation.operationId === 'reviseText' ? 16 * 1024 * 1024 : 100 * 1024;
      expect(
        {
          broken: await send('{', json),
          text: await send('{}', { 'content-type': 'text/plain' }),
          long: await send(`"${'x'.repeat(limit)}"`, json),
          list: await send('[]', json),
          compressed: await send('not gzip', { ...json, 'content-encoding': 'gzip' }),
        },
        path,
      ).to.deep.equal({
        broken: 'INVALID_JSON',
        text: 'UNSUPPORTED_MEDIA_TYPE',
        long: 'PAYLOAD_TOO_LARGE',
        list: 'VALIDATION_ERROR',
        compressed: 'INVALID_REQUEST',
      });
    }
  });

  it('every endpoint that needs a token refuses an invalid one with the documented code', async () => {
    for (const { method, path, operation } of operations) {
      if (operation.security?.length === 0) continue;
      const response = await fetch(service.url + path.replace(/\{\w+\}/g, '1'), {
        method: method.toUpperCase(),
        headers: { authorization: 'Bearer x' },
      });
      expect(await refusal(response), `${method} ${path}`).to.include({ status: 401, code: 'INVALID_TOKEN' });
    }
  });
});
