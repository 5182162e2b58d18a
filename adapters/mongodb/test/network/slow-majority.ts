import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { BODY_OFFSET, bodyOf, messagesFrom } from './wire-messages.ts';

const TIMED_OUT = {
  code: 64,
  codeName: 'WriteConcernTimeout',
  errmsg: 'waiting for replication timed out',
  errInfo: { wtimeout: true },
};

/** The same answer with a write concern timeout: the server did the write, but the majority did not confirm it in time. */
const unconfirmed = (message: Buffer): Buffer => {
  const body = BSON.serialize({ ...bodyOf(message), writeConcernError: TIMED_OUT });
  const head = Buffer.from(message.subarray(0, BODY_OFFSET));
  head.writeInt32LE(BODY_OFFSET + body.length, 0);
  return Buffer.concat([head, body]);
};

/** A proxy to a server that answers like the primary of a replica set with slow secondaries. */
export interface SlowMajority {
  readonly url: string;
  /** The majority confirms the next `passed` writes, not the one after them, and then all later ones. */
  readonly timeOutAfter: (passed: number) => void;
  /** The number of writes since the call of `timeOutAfter`. */
  readonly writes: () => number;
  readonly close: () => Promise<void>;
}

/** Opens a proxy to the server of `url`, `mongodb://HOST:PORT/…`. */
export const openSlowMajority = async (url: string): Promise<SlowMajority> => {
  const { hostname, port: serverPort } = new URL(url);
  let passed = Infinity;
  let writes = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect({ host: hostname, port: Number(serverPort) });
    const unconfirmedIds = new Set<number>();
    const forwardRequests = async () => {
      for await (const message of messagesFrom(client)) {
        if (bodyOf(message)?.['writeConcern']?.w === 'majority' && writes++ === passed)
          unconfirmedIds.add(message.readInt32LE(4));
        backend.write(message);
      }
    };
    const forwardAnswers = async () => {
      for await (const message of messagesFrom(backend))
        client.write(unconfirmedIds.delete(message.readInt32LE(8)) ? unconfirmed(message) : message);
    };
    const end = () => {
      client.destroy();
      backend.destroy();
    };
    for (const socket of [client, backend]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    // A destroyed socket also ends the other side.
    for (const forwarding of [forwardRequests(), forwardAnswers()]) forwarding.catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  return {
    url: proxied.href,
    timeOutAfter: (count) => {
      [passed, writes] = [count, 0];
    },
    writes: () => writes,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
