import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { createApp } from '../../src/app.ts';
import { exampleRequest, operations } from '../described-api.ts';
import { ResponseCheck } from '../response-check.ts';
import { PASSWORD, refusal, startService, type TestService, type TestUser } from '../service.ts';

interface Layer {
  readonly rawPath: string;
  readonly route?: { readonly stack: readonly { readonly method?: string }[] };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** The methods and paths of the Express routes, in the notation of the OpenAPI document. */
const routed = (stack: readonly Layer[], prefix = ''): readonly string[] =>
  stack.flatMap(({ rawPath, route, handle }) => {
    const path = prefix + (rawPath === '/' ? '' : rawPath);
    if (!route) return handle.stack ? routed(handle.stack, path) : [];
    const methods = new Set(route.stack.map(({ method }) => method));
    return [...methods]
      .filter((method) => method !== undefined && method !== 'options')
      .map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  });

describe('the OpenAPI document and the service', () => {
  let service: TestService;
  let user: TestUser;

  before(async () => {
    service = await startService({
      env: { PUBLIC_URL: 'https://docs.example.org/ocr/', CORS_ORIGINS: 'https://app.example.org' },
    });
    user = await service.signUp();
  });
  after(() => service.close());

  it('have the same operations', () => {
    const app = createApp(service.composition);
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect([...routed(app.router.stack as unknown as readonly Layer[])].sort()).to.deep.equal([...described].sort());
  });

  it('have the same operations as docs/api.md', async () => {
    const page = await readFile(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^?`]*)/g)].map(
      ([, method, path]) => `${method?.toLowerCase()} ${path}`,
    );
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(listed)].sort()).to.deep.equal([...described].sort());
  });

  it('require a token for the same operations', async () => {
    const isOpen: Record<string, boolean> = {};
    const described: Record<string, boolean> = {};
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`;
      const response = await fetch(service.url + path.replace(/\{\w+\}/g, '1'), { method });
      const { code } = response.status === 401 ? await refusal(response) : { code: '' };
      isOpen[name] = code !== 'AUTHENTICATION_REQUIRED';
      described[name] = operation.security?.length === 0;
    }
    expect(described).to.deep.equal(isOpen);
  });

  it('accept the same requests: no documented example is refused as invalid', async () => {
    for (const described of operations) {
      const { operation } = described;
      const { method, path, json } = exampleRequest(described, {});
      const response = await fetch(service.url + path, {
        method,
        headers: {
          ...(operation.security === undefined && { authorization: `Bearer ${user.token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          'x-forwarded-for': '10.77.0.1',
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      // The OpenAPI document has no example of a file.
      if (operation.operationId === 'uploadDocument') continue;
      const { code } = response.status === 400 ? await refusal(response) : { code: '' };
      expect(code, `${method} ${path}`).to.be.oneOf(['', 'INVALID_OR_EXPIRED_TOKEN']);
      if (operation.operationId === 'logout') user = await service.signUp();
    }
  });

  it('/openapi.json is served with caching headers', async () => {
    const response = await fetch(`${service.url}/openapi.json`, { headers: { origin: 'https://app.example.org' } });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).to.match(/^public, max-age=[1-9]\d*$/);
    expect(response.headers.get('access-control-allow-origin')).to.equal('https://app.example.org');
    const document = (await response.json()) as { servers: readonly { url: string }[]; info: { version: string } };
    expect(document.servers[0]?.url).to.equal('https://docs.example.org/ocr');
    expect(document.info.version).to.match(/^\d+\.\d+\.\d+/);
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${service.url}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    const head = await fetch(`${service.url}/openapi.json`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).to.deep.equal([200, etag]);
    const post = await fetch(`${service.url}/openapi.json`, { method: 'POST' });
    expect(post.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
    expect(await refusal(post)).to.include({ status: 405, code: 'METHOD_NOT_ALLOWED' });
  });

  it('have the same limits for passwords and addresses', async () => {
    const register = (email: string, password: string): Promise<Response> =>
      fetch(`${service.url}/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.77.0.2' },
        body: JSON.stringify({ email, password }),
      });
    const isDocumented = (value: unknown): boolean =>
      new ResponseCheck().faultsOf('/components/schemas/Registration', value).length === 0;
    const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}example`;
    for (const [email, password] of [
      ['a@example.org', 'x'.repeat(7)],
      ['a@example.org', 'x'.repeat(8)],
      ['b@example.org', 'x'.repeat(256)],
      ['c@example.org', 'x'.repeat(257)],
      [`${long}${'c'.repeat(254 - long.length)}`, PASSWORD],
      [`${long}${'c'.repeat(255 - long.length)}`, PASSWORD],
      ['no address', PASSWORD],
    ] as const) {
      expect((await register(email, password)).status, `${email} ${password}`).to.equal(
        isDocumented({ email, password }) ? 202 : 400,
      );
    }
  });
});
