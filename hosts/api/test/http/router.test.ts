import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@palimpsest/core';
import type { Logger } from '@palimpsest/composition';
import { expect } from 'chai';
import express from 'express';
import { z } from 'zod';
import { jsonBody } from '../../src/http/bodies/json-body.ts';
import { defineEndpoint, type Endpoint, type Service } from '../../src/http/endpoint.ts';
import { errorHandler } from '../../src/http/error-response.ts';
import { notFound } from '../../src/http/http-error.ts';
import { empty, json } from '../../src/http/openapi/responses.ts';
import { endpointRouter } from '../../src/http/router.ts';

const shownPath = z.object({ shown: z.string() });

const anEndpoint = (path: string, operationId = path): Endpoint =>
  defineEndpoint({
    method: 'get',
    path,
    tag: 'Service',
    operationId,
    summary: 'Show the path',
    access: 'public',
    responses: { 200: json(shownPath, 'The path.', { shown: '/' }) },
    handler: async () => ({ shown: path }),
  });

describe('endpointRouter', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  const serve = async (...endpoints: readonly Endpoint[]): Promise<string> => {
    const useCases = {
      authenticate: (token: string) =>
        token === 'good'
          ? Promise.resolve({ accountId: 'ann', sessionId: 's' })
          : Promise.reject(new AppError('INVALID_TOKEN', 'The token is not valid.')),
    };
    const app = express().use(endpointRouter(endpoints, { useCases } as unknown as Service), notFound);
    app.use(errorHandler({ error: () => {}, debug: () => {} } as unknown as Logger));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('matches a fixed segment before a parameter, for any order of the list', async () => {
    const url = await serve(anEndpoint('/a/{id}'), anEndpoint('/a/{id}/b'), anEndpoint('/a/search'));
    expect(await (await fetch(`${url}/a/search`)).json()).to.deep.equal({ shown: '/a/search' });
    expect(await (await fetch(`${url}/a/1`)).json()).to.deep.equal({ shown: '/a/{id}' });
    expect(await (await fetch(`${url}/a/search/b`)).json()).to.deep.equal({ shown: '/a/{id}/b' });
  });

  it('ignores a trailing slash unless the endpoint refuses it', async () => {
    const url = await serve(anEndpoint('/a'), { ...anEndpoint('/b'), trailingSlash: 'refused' });
    expect((await fetch(`${url}/a/`)).status).to.equal(200);
    expect((await fetch(`${url}/b`)).status).to.equal(200);
    expect((await fetch(`${url}/b/`)).status).to.equal(404);
  });

  it('sends the documented status without a body when the handler returns nothing', async () => {
    const url = await serve(
      defineEndpoint({
        method: 'delete',
        path: '/a',
        tag: 'Service',
        operationId: 'remove',
        summary: 'Remove',
        access: 'public',
        responses: { 204: empty('Removed.') },
        handler: () => {},
      }),
    );
    const response = await fetch(`${url}/a`, { method: 'DELETE' });
    expect([response.status, await response.text()]).to.deep.equal([204, '']);
  });

  it('gives the handler the parsed path, query, headers and body and the actor', async () => {
    const received = z.object({ received: z.unknown() });
    const url = await serve(
      defineEndpoint({
        method: 'post',
        path: '/a/{id}',
        tag: 'Service',
        operationId: 'receive',
        summary: 'Receive',
        request: {
          path: z.object({ id: z.string() }),
          query: z.object({ limit: z.coerce.number() }),
          headers: z.object({ 'X-Colour': z.string().optional() }),
          body: jsonBody(z.object({ name: z.string() }), { name: 'x' }),
        },
        responses: { 200: json(received, 'The call.', { received: {} }) },
        handler: async ({ path, query, headers, body, actor }) => ({ received: { path, query, headers, body, actor } }),
      }),
    );
    const send = (token: string, body: unknown): Promise<Response> =>
      fetch(`${url}/a/1?limit=2&unknown=3`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-colour': 'red' },
        body: JSON.stringify(body),
      });
    expect(await (await send('good', { name: 'ada', unknown: 1 })).json()).to.deep.equal({
      received: {
        path: { id: '1' },
        query: { limit: 2 },
        headers: { 'X-Colour': 'red' },
        body: { name: 'ada' },
        actor: { accountId: 'ann', sessionId: 's' },
      },
    });
    expect((await send('bad', { name: 'ada' })).status).to.equal(401);
    expect((await send('good', {})).status).to.equal(400);
  });
});
