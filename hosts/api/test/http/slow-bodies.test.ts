import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { expect } from 'chai';
import { createApp } from '../../src/app.ts';

describe('a body that arrives too slowly', () => {
  let folder: string;
  let composition: Composition;
  let server: Server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-slow-'));
    const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }, 2);
    composition = await compose(config, await openLog('silent'));
    server = createServer(createApp(composition, { rate: { bytesPerSecond: 1000, intervalMs: 100 } })).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await composition.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('gets 408 with the error object', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket
      .setEncoding('utf8')
      .write(
        'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"e',
      );
    const [answer] = (await once(socket, 'data')) as [string];
    socket.destroy();
    expect(answer).to.match(/^HTTP\/1.1 408 .*"code":"REQUEST_TIMEOUT"/s);
  });
});
