import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { bodyOf, messagesFrom } from './wire-messages.ts';

/** A proxy that can delay a command until the client retries it. */
export interface LateCommand {
  readonly url: string;
  /**
   * Resets the connection of the next update, and forwards that update later: when the client sends its next update, just
   * before it.
   */
  readonly delayNextUpdate: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a proxy to the server of `url`, `mongodb://HOST:PORT/…`. */
export const openLateCommand = async (url: string): Promise<LateCommand> => {
  const { hostname, port: serverPort } = new URL(url);
  const open = new Set<Socket>();
  let isNextLate = false;
  let forwardLate: (() => Promise<unknown>) | undefined;
  const server = createServer((client) => {
    const backend = connect({ host: hostname, port: Number(serverPort) });
    let isCut = false;
    const end = () => {
      client.destroy();
      if (!isCut) backend.destroy();
    };
    const forwardRequests = async () => {
      for await (const message of messagesFrom(client)) {
        const isUpdate = bodyOf(message)?.['update'] !== undefined;
        if (isUpdate && isNextLate) {
          isNextLate = false;
          isCut = true;
          forwardLate = () => {
            backend.write(message);
            return once(backend, 'data');
          };
          client.resetAndDestroy();
          return;
        }
        if (isUpdate && forwardLate !== undefined) {
          const forward = forwardLate;
          forwardLate = undefined;
          await forward();
        }
        backend.write(message);
      }
    };
    backend.on('data', (bytes) => void (isCut || client.write(bytes)));
    for (const socket of [client, backend]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    forwardRequests().catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  return {
    url: proxied.href,
    delayNextUpdate: () => {
      isNextLate = true;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
