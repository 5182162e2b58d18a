import { connect } from 'node:net';
import { expect } from 'chai';
import { compose, openLog, readConfig } from '@palimpsest/composition';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../src/serve.ts';
import { PASSWORD } from '../service.ts';

// The test would time out if stop() waited for this time.
const NEVER_MS = 3_600_000;

describe('a service that stops', () => {
  it('answers running requests and then stops, even if clients keep their connections open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-stopping-'));
    const composition = await compose(readConfig({ PORT: '0', DATA_DIR: folder }, 1), await openLog('silent'));
    const served = await serve(composition);
    const body = JSON.stringify({ email: 'unknown@example.org', password: PASSWORD });
    const head = `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    // The response waits until stop() was called.
    const hash = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    composition.ports.passwordHasher.verify = () => {
      asked.resolve();
      return hash.promise;
    };
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1').setEncoding('utf8');
    socket.write(head + body);
    await asked.promise;
    const stopped = served.stop(NEVER_MS);
    hash.resolve(false);
    const [answer] = (await Promise.all([socket.toArray(), stopped])) as [string[], void];
    expect(answer.join('')).to.match(/^HTTP\/1.1 401 /);
    await composition.close();
    await rm(folder, { recursive: true, force: true });
  });
});
