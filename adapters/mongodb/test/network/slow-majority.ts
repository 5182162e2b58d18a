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

/** The answer as a server gives it that has done what was asked, and waited in vain for the majority to do it, too. */
const unconfirmed = (message: Buffer): Buffer => {
  const body = BSON.serialize({ ...bodyOf(message), writeConcernError: TIMED_OUT });
  const before = Buffer.from(message.subarray(0, BODY_OFFSET));
  before.writeInt32LE(BODY_OFFSET + body.length, 0);
  return Buffer.concat([before, body]);
};

/** A way to a server that answers as the primary of a set whose other members are slow. */
export interface SlowMajority {
  readonly url: string;
  /** The next `passed` writes are confirmed by the majority, the one after them is not in time, and later ones are. */
  readonly tarryAfter: (passed: number) => void;
  /** How many writes were asked for since then. */
  readonly writes: () => number;
  readonly close: () => Promise<void>;
}

/** Opens a way to the server of `url`, `mongodb://HOST:PORT/…`. */
export const openSlowMajority = async (url: string): Promise<SlowMajority> => {
  const { hostname, port: serverPort } = new URL(url);
  let passed = Infinity;
  let writes = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect({ host: hostname, port: Number(serverPort) });
    const toSpoil = new Set<number>();
    const there = async () => {
      for await (const message of messagesFrom(client)) {
        if (bodyOf(message)?.['writeConcern']?.w === 'majority' && writes++ === passed)
          toSpoil.add(message.readInt32LE(4));
        backend.write(message);
      }
    };
    const back = async () => {
      for await (const message of messagesFrom(backend))
        client.write(toSpoil.delete(message.readInt32LE(8)) ? unconfirmed(message) : message);
    };
    const end = () => {
      client.destroy();
      backend.destroy();
    };
    for (const socket of [client, backend]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    // A side that was destroyed ends the other one, too.
    for (const way of [there(), back()]) way.catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = new URL(url);
  slow.host = `127.0.0.1:${port}`;
  return {
    url: slow.href,
    tarryAfter: (count) => {
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
