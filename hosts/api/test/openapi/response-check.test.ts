import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { checkedFetch, ResponseCheck, watchResponses, type Exchange } from '../response-check.ts';

const ID = '019aa7b4-6d0e-7c3a-9f52-3b1e8d7c4a60';
const always = { 'x-request-id': 'a', 'cache-control': 'no-store' };
const json = { ...always, 'content-type': 'application/json; charset=utf-8' };

const download = {
  ...always,
  etag: '"a"',
  'accept-ranges': 'bytes',
  'content-length': '3',
  'content-disposition': 'attachment; filename="a.png"',
};

const list = { items: [], paging: { limit: 50, offset: 0, total: 0 } };
const summary = {
  id: ID,
  title: 'A',
  status: 'queued',
  received_at: '2026-11-21T09:30:12.345678+00:00',
  processed_at: null,
};
const notFound = { error: { code: 'DOCUMENT_NOT_FOUND', message: 'Document not found.' } };

const anExchange = ({
  headers = json,
  body = list,
  ...more
}: Partial<Omit<Exchange, 'headers' | 'body'>> & {
  headers?: Record<string, string>;
  body?: unknown;
} = {}): Exchange => ({
  method: 'GET',
  path: '/v1/documents',
  status: 200,
  ...more,
  headers: new Headers(headers),
  body: body === undefined ? undefined : JSON.stringify(body),
});

describe('ResponseCheck', () => {
  const check = new ResponseCheck();

  for (const [name, exchange] of [
    ['a list', anExchange()],
    ['a list with a document', anExchange({ body: { ...list, items: [summary] } })],
    ['the head of a list', anExchange({ method: 'HEAD', body: undefined })],
    ['a 404 for a document', anExchange({ path: `/v1/documents/${ID}`, status: 404, body: notFound })],
    ['a path with a trailing slash', anExchange({ path: '/v1/documents/' })],
    [
      'a deletion',
      anExchange({ method: 'DELETE', path: `/v1/documents/${ID}`, status: 204, headers: always, body: undefined }),
    ],
    [
      'a file',
      anExchange({
        path: `/v1/documents/${ID}/download`,
        headers: { ...download, 'content-type': 'image/png' },
        body: undefined,
      }),
    ],
    [
      'a 404 for an unknown path',
      anExchange({ path: '/nothing', status: 404, body: { error: { code: 'NOT_FOUND', message: 'Nothing.' } } }),
    ],
    [
      'a 405 for an unknown method',
      anExchange({ method: 'PATCH', status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED', message: 'No.' } } }),
    ],
    [
      'an error for malformed HTTP',
      anExchange({
        status: 431,
        headers: { 'content-type': 'application/json' },
        body: { error: { code: 'HEADERS_TOO_LARGE', message: 'No.' } },
      }),
    ],
    ['options', anExchange({ method: 'OPTIONS', status: 204, headers: always, body: undefined })],
  ] as const) {
    it(`accepts ${name}`, () => check.check(exchange));
  }

  for (const [name, exchange, words] of [
    ['an undocumented key', anExchange({ body: { ...list, secret: 1 } }), /secret/],
    [
      'an undocumented key in an item',
      anExchange({ body: { ...list, items: [{ ...summary, ownerId: 'x' }] } }),
      /ownerId/,
    ],
    ['a missing key', anExchange({ body: { items: [] } }), /paging/],
    [
      'a timestamp with Z',
      anExchange({ body: { ...list, items: [{ ...summary, received_at: '2026-11-21T09:30:12.345678Z' }] } }),
      /received_at/,
    ],
    [
      'a timestamp of milliseconds',
      anExchange({ body: { ...list, items: [{ ...summary, received_at: '2026-11-21T09:30:12.345+00:00' }] } }),
      /received_at/,
    ],
    ['an id in upper case', anExchange({ body: { ...list, items: [{ ...summary, id: ID.toUpperCase() }] } }), /id/],
    ['an unknown status', anExchange({ body: { ...list, items: [{ ...summary, status: 'deleting' }] } }), /status/],
    ['a limit over 200', anExchange({ body: { ...list, paging: { limit: 201, offset: 0, total: 0 } } }), /limit/],
    ['an undocumented HTTP status', anExchange({ status: 201 }), /201/],
    [
      'an error code that the operation does not have',
      anExchange({
        status: 404,
        path: `/v1/documents/${ID}`,
        body: { error: { code: 'PAGE_NOT_FOUND', message: 'No.' } },
      }),
      /PAGE_NOT_FOUND|allowed/,
    ],
    [
      'an error code that does not exist',
      anExchange({ status: 404, path: '/nothing', body: { error: { code: 'OOPS', message: 'No.' } } }),
      /allowed/,
    ],
    [
      'an error with an extra key',
      anExchange({ status: 404, path: `/v1/documents/${ID}`, body: { error: { ...notFound.error, stack: 'x' } } }),
      /stack/,
    ],
    [
      'an error without the error object',
      anExchange({ status: 404, path: '/nothing', body: { message: 'No.' } }),
      /error/,
    ],
    [
      'an error as a web page',
      anExchange({
        status: 404,
        path: '/nothing',
        headers: { ...always, 'content-type': 'text/html' },
        body: undefined,
      }),
      /text\/html/,
    ],
    [
      'a cacheable error',
      anExchange({
        status: 404,
        path: `/v1/documents/${ID}`,
        headers: { ...json, 'cache-control': 'private, max-age=60' },
        body: notFound,
      }),
      /Cache-Control/,
    ],
    [
      'a missing request id',
      anExchange({ headers: { 'cache-control': 'no-store', 'content-type': 'application/json' } }),
      /X-Request-Id/,
    ],
    [
      'a missing Retry-After',
      anExchange({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'No.' } } }),
      /Retry-After/,
    ],
    [
      'a Retry-After of 0',
      anExchange({
        status: 503,
        headers: { ...json, 'retry-after': '0' },
        body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'No.' } },
      }),
      /Retry-After/,
    ],
    [
      'a 401 without a challenge',
      anExchange({ status: 401, body: { error: { code: 'INVALID_TOKEN', message: 'No.' } } }),
      /WWW-Authenticate/,
    ],
    [
      'a file with another type',
      anExchange({
        path: `/v1/documents/${ID}/download`,
        headers: { ...download, 'content-type': 'text/html' },
        body: undefined,
      }),
      /text\/html/,
    ],
    [
      'a file without a disposition',
      anExchange({
        path: `/v1/documents/${ID}/download`,
        headers: { ...always, 'content-type': 'image/png' },
        body: undefined,
      }),
      /Content-Disposition/,
    ],
    ['an undocumented body', anExchange({ method: 'DELETE', path: `/v1/documents/${ID}`, status: 204 }), /body/],
    ['a success on an undocumented path', anExchange({ path: '/v1/secrets' }), /documented/],
  ] as const) {
    it(`refuses ${name}`, () => {
      expect(() => check.check(exchange)).to.throw(words);
    });
  }

  it('distinguishes the path of the search from the path of a document', () => {
    expect(check.templateOf('/v1/documents/search')).to.equal('/v1/documents/search');
    expect(check.templateOf(`/v1/documents/${ID}`)).to.equal('/v1/documents/{id}');
    expect(check.templateOf('/v1/documents/a/b/c')).to.equal(undefined);
  });

  describe('with fetch', () => {
    let server: Server;
    let url: string;

    before(async () => {
      server = createServer((req, res) => {
        res.writeHead(200, json).end(JSON.stringify(req.url === '/v1/documents' ? { ...list, planted: true } : list));
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => server.close());

    const outcome = async (answer: Promise<Response>): Promise<string> => {
      try {
        return String((await answer).status);
      } catch (error) {
        return (error as Error).message;
      }
    };

    it('rejects an undocumented key in a response of a watched service only', async () => {
      const before = globalThis.fetch;
      expect(await outcome(fetch(`${url}/v1/documents`))).to.equal('200');
      const unwatch = watchResponses(url);
      expect(await outcome(fetch(`${url}/v1/documents`))).to.match(
        /GET \/v1\/documents was answered 200, which does not match the OpenAPI document:[^]*planted/,
      );
      expect(await outcome(fetch(new Request(`${url}/v1/documents`)))).to.include('planted');
      expect(await outcome(fetch(`${url}/v1/documents/?limit=50`))).to.equal('200');
      unwatch();
      expect(await outcome(fetch(`${url}/v1/documents`))).to.equal('200');
      expect(globalThis.fetch).to.equal(before);
      expect(await outcome(checkedFetch(`${url}/v1/documents`))).to.include('planted');
    });

    it('leaves the body readable for the caller', async () => {
      expect(await (await checkedFetch(`${url}/v1/documents/`)).json()).to.deep.equal(list);
    });
  });
});
