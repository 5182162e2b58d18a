import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { refusal, startService, type TestService } from '../service.ts';

describe('the documentation page', () => {
  let service: TestService;
  let html: string;

  before(async () => {
    service = await startService();
    html = await (await fetch(`${service.url}/docs`)).text();
  });
  after(() => service.close());

  const partsOf = (page: string): readonly string[] =>
    [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  const get = (link: string, init?: RequestInit): Promise<Response> =>
    fetch(new URL(link, `${service.url}/docs`), init);
  const getAgain = (link: string, etag: string): Promise<Response> => get(link, { headers: { 'if-none-match': etag } });

  it('has a content security policy that allows only assets of this service', async () => {
    const response = await get('docs');
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const policy = new Map(
      (response.headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
    );
    expect(Object.fromEntries(policy)).to.deep.equal({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data: blob:",
      'connect-src': "'self'",
      'font-src': "'self' data:",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    for (const path of ['/healthz', '/openapi.json', '/docs/x/docs.js', '/v1/documents']) {
      expect((await get(path)).headers.get('content-security-policy'), path).to.equal(
        "default-src 'none';frame-ancestors 'none'",
      );
    }
  });

  it('refers to no other host and has no inline script', async () => {
    const own = partsOf(html).filter((link) => link.includes('/docs.'));
    expect(own).to.have.length(2);
    for (const text of [html, ...(await Promise.all(own.map(async (link) => (await get(link)).text())))]) {
      expect(text).not.to.match(/https?:|\/\/[a-z]/i);
      expect(text).not.to.include('petstore');
    }
    expect(html).not.to.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/i);
    const script = await (await get(own.find((link) => link.endsWith('.js')) ?? '')).text();
    expect(script).to.include('validatorUrl: null').and.not.include('persistAuthorization: true');
  });

  it('serves all its assets with immutable caching', async () => {
    const links = partsOf(html).filter((link) => link !== 'openapi.json');
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      png: 'image/png',
    };
    expect(links.map((link) => link.split('/').at(-1))).to.have.members([
      'favicon-32x32.png',
      'swagger-ui.css',
      'docs.css',
      'swagger-ui-bundle.js',
      'docs.js',
    ]);
    for (const link of links) {
      expect(link).to.match(/^docs\/[0-9a-f]{16}\/[a-z0-9.-]+$/);
      const response = await get(link);
      expect(response.status, link).to.equal(200);
      expect(response.headers.get('content-type'), link).to.equal(types[link.split('.').at(-1) ?? '']);
      expect(response.headers.get('cache-control'), link).to.equal('public, max-age=31536000, immutable');
      expect((await response.arrayBuffer()).byteLength, link).to.be.above(400);
      const etag = response.headers.get('etag') ?? '';
      expect((await getAgain(link, etag)).status).to.equal(304);
      const head = await get(link, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag'), await head.text()]).to.deep.equal([200, etag, '']);
      const post = await get(link, { method: 'POST' });
      expect(post.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
      expect(await refusal(post)).to.include({ status: 405 });
    }
  });

  it('is revalidated at each request and sent again only after a change', async () => {
    const response = await get('docs');
    expect(response.headers.get('cache-control')).to.equal('no-cache');
    expect((await getAgain('docs', response.headers.get('etag') ?? '')).status).to.equal(304);
    expect((await get('docs', { method: 'HEAD' })).status).to.equal(200);
    expect(await refusal(await get('docs', { method: 'PUT' }))).to.include({ status: 405 });
  });

  it('answers 404 for every other file of Swagger UI and for every other build', async () => {
    const build = partsOf(html)[0]?.split('/')[1] ?? '';
    const served = new Set(partsOf(html).map((link) => link.split('/').at(-1)));
    const names = await readdir(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')));
    expect(names).to.include('index.html').and.include('swagger-ui.css.map');
    for (const name of [
      ...names.filter((each) => !served.has(each)),
      '..%2fpackage.json',
      'constructor',
      '__proto__',
      '%00',
      '%ff',
    ]) {
      expect(await refusal(await get(`docs/${build}/${name}`)), name).to.include({ status: 404, code: 'NOT_FOUND' });
    }
    expect(await refusal(await get('docs/0000000000000000/docs.js'))).to.include({ status: 404, code: 'NOT_FOUND' });
  });
});
