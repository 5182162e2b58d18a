import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PASSWORD, refusal, startService, type TestService, type TestUser } from '../service.ts';

describe('conventions of the HTTP API', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService({ env: { CORS_ORIGINS: 'https://app.example.org' } });
    user = await service.signUp();
  });
  after(() => service.close());

  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
        if (/\r\n\r\n\{.*\}$/s.test(answer)) socket.end();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('answers an unknown path with 404 and the error object', async () => {
    for (const path of ['/', '/v1', '/v2/documents', '/.env', '/v1/documents/x/y/z', '/V1/documents']) {
      const response = await user.fetch(path);
      expect(await refusal(response), path).to.include({ status: 404, code: 'NOT_FOUND' });
    }
  });

  it('answers an unsupported method with 405 and Allow', async () => {
    const calls = [
      ['PATCH', '/v1/documents', 'GET, HEAD, OPTIONS, POST'],
      ['POST', '/v1/documents/x/download', 'GET, HEAD, OPTIONS'],
      ['GET', '/v1/documents/x/ocr', 'OPTIONS, PUT'],
      ['GET', '/v1/auth/login', 'OPTIONS, POST'],
      ['PROPFIND', '/v1/documents/x', 'DELETE, GET, HEAD, OPTIONS'],
      ['DELETE', '/healthz', 'GET, HEAD, OPTIONS'],
    ] as const;
    for (const [method, path, allow] of calls) {
      const response = await user.fetch(path, { method });
      expect(response.headers.get('allow'), `${method} ${path}`).to.equal(allow);
      expect(await refusal(response)).to.include({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    }
    expect(await raw('TRACE /v1/auth/login HTTP/1.1\r\nHost: x\r\n\r\n')).to.match(/^HTTP\/1.1 405 /);
  });

  it('answers OPTIONS with 204 and Allow', async () => {
    const response = await user.fetch('/v1/documents', { method: 'OPTIONS' });
    expect(response.status).to.equal(204);
    expect(response.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
  });

  for (const [name, headers, body, status, code] of [
    ['malformed JSON', { 'content-type': 'application/json' }, '{"email":', 400, 'INVALID_JSON'],
    ['a trailing comma', { 'content-type': 'application/json' }, '{"email":"a",}', 400, 'INVALID_JSON'],
    [
      'invalid UTF-8',
      { 'content-type': 'application/json' },
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      400,
      'INVALID_JSON',
    ],
    ['a text body', { 'content-type': 'text/plain' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form body', { 'content-type': 'application/x-www-form-urlencoded' }, 'email=a', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an odd charset', { 'content-type': 'application/json; charset=utf-16' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'an unknown encoding',
      { 'content-type': 'application/json', 'content-encoding': 'rot13' },
      '{}',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'more than 100 KiB',
      { 'content-type': 'application/json' },
      JSON.stringify({ email: 'x'.repeat(100 * 1024) }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a Content-Encoding gzip and other content',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      'not gzip at all',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a gzip bomb',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(50_000_000, 0x20)),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a hundred thousand brackets', { 'content-type': 'application/json' }, '['.repeat(100_000), 400, 'INVALID_JSON'],
    [
      'keys of the prototype',
      { 'content-type': 'application/json' },
      '{"__proto__":{"email":"a@example.org"},"constructor":1}',
      400,
      'VALIDATION_ERROR',
    ],
  ] as const) {
    it(`refuses a body with ${name}`, async () => {
      const response = await fetch(`${service.url}/v1/auth/login`, {
        method: 'POST',
        headers,
        body: body as Uint8Array<ArrayBuffer> | string,
      });
      expect(await refusal(response)).to.include({ status, code });
      expect(({} as Record<string, unknown>)['email']).to.equal(undefined);
    });
  }

  it('returns the request id of the client if it is valid, otherwise a new one', async () => {
    const given = async (id?: string): Promise<string | null> =>
      (await fetch(`${service.url}/healthz`, id === undefined ? {} : { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      );
    expect(await given()).to.match(/^[0-9a-f-]{36}$/);
    expect(await given('my-id.1')).to.equal('my-id.1');
    expect(await given('a b')).to.match(/^[0-9a-f-]{36}$/);
    expect(await given('x'.repeat(200))).to.match(/^[0-9a-f-]{36}$/);
  });

  it('sets the security headers and does not name its software', async () => {
    for (const response of [await user.fetch('/v1/documents'), await fetch(`${service.url}/nothing`)]) {
      expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(response.headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('x-powered-by')).to.equal(null);
      expect(response.headers.get('server')).to.equal(null);
    }
  });

  it('allows cross-origin requests from the configured origins only', async () => {
    const allowed = async (origin: string): Promise<string | null> =>
      (await fetch(`${service.url}/healthz`, { headers: { origin } })).headers.get('access-control-allow-origin');
    expect(await allowed('https://app.example.org')).to.equal('https://app.example.org');
    for (const origin of ['https://evil.example.org', 'null', 'https://app.example.org.evil.org'])
      expect(await allowed(origin)).to.equal(null);
  });

  it('is alive, and is ready while its dependencies are available', async () => {
    expect(await (await fetch(`${service.url}/healthz`)).json()).to.deep.equal({ status: 'ok' });
    expect(await (await fetch(`${service.url}/readyz`)).json()).to.deep.equal({ status: 'ready' });
  });

  it('answers malformed HTTP with the error object', async () => {
    const answers = {
      'no http\r\n\r\n': 400,
      'GET / HTTP/1.1\r\n\r\n': 400,
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`]: 431,
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n': 400,
      'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n': 400,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n': 400,
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n': 400,
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello': 400,
    };
    for (const [request, status] of Object.entries(answers)) {
      const answer = await raw(request);
      expect(answer).to.match(/\r\nX-Request-Id: [\w-]+\r\n/i);
      expect(answer.slice(0, 12), JSON.stringify(request.slice(0, 60))).to.equal(`HTTP/1.1 ${status}`);
    }
  });

  it('sends 100 Continue only if it accepts the body', async () => {
    const login = JSON.stringify({ email: user.email, password: PASSWORD });
    const head = (path: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
    expect(await raw(head('/v1/documents', 1000))).to.match(/^HTTP\/1.1 401 /);
    expect(await raw(head('/v1/auth/login', 200_000))).to.match(/^HTTP\/1.1 413 /);
    expect(await raw(head('/v1/auth/login', Buffer.byteLength(login)) + login)).to.match(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /,
    );
  });
});
