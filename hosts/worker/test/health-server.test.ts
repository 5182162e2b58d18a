import { AppError } from '@palimpsest/core';
import { expect } from 'chai';
import { pino } from 'pino';
import { openHealthServer, type HealthServer } from '../src/health-server.ts';

describe('the health server of a worker', () => {
  let server: HealthServer;
  let url: string;
  let databaseDown = false;

  before(async () => {
    const check = async (): Promise<void> => {
      if (databaseDown) throw new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.');
    };
    const ports = { documents: { check }, blobs: { check: async () => {} } } as unknown as Parameters<
      typeof openHealthServer
    >[0]['ports'];
    server = await openHealthServer({ ports, log: pino({ level: 'silent' }) }, { host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${server.port}`;
  });
  after(() => server.close());

  it('answers 200 for /healthz and /readyz when all dependencies answer', async () => {
    expect(await (await fetch(`${url}/healthz`)).json()).to.deep.equal({ status: 'ok' });
    expect(await (await fetch(`${url}/readyz?x=1`)).json()).to.deep.equal({ status: 'ready' });
  });

  it('answers 503 for /readyz and names the unreachable dependency, and 200 for /healthz', async () => {
    databaseDown = true;
    const response = await fetch(`${url}/readyz`);
    databaseDown = false;
    expect(response.status).to.equal(503);
    expect(response.headers.get('retry-after')).to.equal('5');
    expect(await response.text())
      .to.include('SERVICE_UNAVAILABLE')
      .and.include('database')
      .and.not.include('blob');
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
  });

  it('answers 404 for other paths and 405 for other methods', async () => {
    expect((await fetch(`${url}/metrics`)).status).to.equal(404);
    const response = await fetch(`${url}/readyz`, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('answers 503 for /readyz while the worker is stopping', async () => {
    server.stopping();
    const response = await fetch(`${url}/readyz`);
    expect(response.status).to.equal(503);
    expect(await response.text()).to.include('shutting down');
  });
});
