import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { bodyOf, messagesFrom } from './wire-messages.ts';

/** A way to a server on which a command can be late. */
export interface LateCommand {
  readonly url: string;
  /**
   * The connection that brings the next update breaks, and the update reaches the server all the same: not before the
   * client has begun to repeat it, and just before the repetition does.
   */
  readonly delayNextUpdate: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a way to the server of `url`, `mongodb://HOST:PORT/…`. */
export const openLateCommand = async (url: string): Promise<LateCommand> => {
  const { hostname, port: serverPort } = new URL(url);
  const open = new Set<Socket>();
  let isNextLate = false;
  let arriveLate: (() => Promise<unknown>) | undefined;
  const server = createServer((client) => {
    const backend = connect({ host: hostname, port: Number(serverPort) });
    let isCut = false;
    const end = () => {
      client.destroy();
      if (!isCut) backend.destroy();
    };
    const there = async () => {
      for await (const message of messagesFrom(client)) {
        const isUpdate = bodyOf(message)?.['update'] !== undefined;
        if (isUpdate && isNextLate) {
          isNextLate = false;
          isCut = true;
          arriveLate = () => {
            backend.write(message);
            return once(backend, 'data');
          };
          client.resetAndDestroy();
          return;
        }
        if (isUpdate && arriveLate !== undefined) {
          const arrive = arriveLate;
          arriveLate = undefined;
          await arrive();
        }
        backend.write(message);
      }
    };
    backend.on('data', (bytes) => void (isCut || client.write(bytes)));
    for (const socket of [client, backend]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    there().catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const late = new URL(url);
  late.host = `127.0.0.1:${port}`;
  return {
    url: late.href,
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
