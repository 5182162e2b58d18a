import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { eventually } from '../src/kit/expectations.ts';
import { openFaultProxy, type FaultProxy } from '../src/kit/fault-proxy.ts';

/** A server that answers each line with its number and the line. `received` contains the lines. */
const startLineServer = async (): Promise<{
  readonly server: Server;
  readonly port: number;
  readonly received: string[];
}> => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (line: string) => {
      received.push(line);
      socket.write(`${received.length} ${line}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, received };
};

describe('FaultProxy', () => {
  let backend: Awaited<ReturnType<typeof startLineServer>>;
  let proxy: FaultProxy;
  const clients: Socket[] = [];

  const client = async (): Promise<Socket> => {
    const socket = connect({ host: proxy.host, port: proxy.port });
    clients.push(socket);
    await once(socket, 'connect');
    return socket.setEncoding('utf8');
  };

  /** The next answer, the code of the error that ended the connection, or `closed`. */
  const next = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      socket.once('data', (answer) => resolve(String(answer)));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      socket.once('close', () => resolve('closed'));
    });

  const ask = (socket: Socket, line: string): Promise<string> => {
    const answer = next(socket);
    socket.write(line);
    return answer;
  };

  beforeEach(async () => {
    backend = await startLineServer();
    proxy = await openFaultProxy({
      host: '127.0.0.1',
      port: backend.port,
      isRequest: (bytes) => !Buffer.from(bytes).includes('ping'),
    });
  });

  afterEach(async () => {
    for (const socket of clients.splice(0)) socket.destroy();
    await proxy.close();
    backend.server.close();
    await once(backend.server, 'close');
  });

  it('forwards everything if no fault is set', async () => {
    const [a, b] = [await client(), await client()];
    expect([await ask(a, 'one'), await ask(b, 'two'), await ask(a, 'three')]).to.deep.equal([
      '1 one',
      '2 two',
      '3 three',
    ]);
    expect(proxy.connections).to.equal(2);
  });

  it('closes the connection to the backend when the client closes its own', async () => {
    const socket = await client();
    await ask(socket, 'one');
    socket.end();
    await once(socket, 'close');
    await eventually('the proxy has no connection', () => proxy.connections === 0);
  });

  it('forwards 4 MB unchanged in both directions', async () => {
    const socket = await client();
    const sent = 'x'.repeat(4_000_000);
    let receivedLength = 0;
    socket.on('data', (piece: string) => (receivedLength += piece.replaceAll(/[^x]/g, '').length));
    socket.write(sent);
    await eventually('all bytes have returned', () => receivedLength === sent.length);
  });

  it('cuts all open connections on dropConnections and accepts new ones', async () => {
    const [a, b] = [await client(), await client()];
    await ask(a, 'one');
    const broken = [next(a), next(b)];
    proxy.dropConnections();
    expect(await Promise.all(broken)).to.deep.equal(['ECONNRESET', 'ECONNRESET']);
    expect(await ask(await client(), 'two')).to.equal('2 two');
  });

  it('refuses the next two connections on refuseNext(2)', async () => {
    proxy.refuseNext(2);
    for (const expected of ['ECONNRESET', 'ECONNRESET', '1 two']) {
      const socket = connect({ host: proxy.host, port: proxy.port }).setEncoding('utf8');
      clients.push(socket);
      expect(await ask(socket, 'two')).to.equal(expected);
    }
  });

  it('cuts the next request before it reaches the backend on cutNext(1), and ignores bytes that are no request', async () => {
    proxy.cutNext(1);
    const socket = await client();
    expect(await ask(socket, 'ping')).to.equal('1 ping');
    expect(await ask(socket, 'two')).to.equal('ECONNRESET');
    expect(await ask(await client(), 'three')).to.equal('2 three');
    expect(backend.received).to.deep.equal(['ping', 'three']);
  });

  it('forwards a request and cuts the connection before the answer on dropAfterAnswer', async () => {
    proxy.dropAfterAnswer();
    expect(await ask(await client(), 'one')).to.equal('ECONNRESET');
    expect(backend.received).to.deep.equal(['one']);
    expect(await ask(await client(), 'two')).to.equal('2 two');
  });

  it('delays an answer by the time set with delay', async () => {
    const socket = await client();
    proxy.delay(3_600_000);
    const answer = ask(socket, 'one');
    await eventually('the backend has answered', () => backend.received.length === 1);
    proxy.dropConnections();
    expect(await answer).to.equal('ECONNRESET');
  });

  it('ends all faults on restore', async () => {
    proxy.cutNext(Infinity);
    proxy.refuseNext(Infinity);
    proxy.dropAfterAnswer(Infinity);
    proxy.delay(60_000);
    proxy.restore();
    expect(await ask(await client(), 'one')).to.equal('1 one');
  });

  it('cuts the connection of a client if the backend is not reachable', async () => {
    const unreachable = await openFaultProxy({ host: '127.0.0.1', port: 1 });
    const socket = connect({ host: unreachable.host, port: unreachable.port });
    clients.push(socket);
    expect(await next(socket)).to.be.oneOf(['ECONNRESET', 'closed']);
    await unreachable.close();
    await unreachable.close();
  });
});
