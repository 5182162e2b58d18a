import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { BSON } from 'mongodb';

const HEADER_LENGTH = 16;
const OP_QUERY = 2004;
const OP_REPLY = 1;
const OP_MSG = 2013;

/** The answer to a message: the `hello` of a server with this wire version. */
const answerTo = (message: Buffer, maxWireVersion: number): Buffer => {
  const document = BSON.serialize({
    ok: 1,
    ismaster: true,
    isWritablePrimary: true,
    helloOk: true,
    minWireVersion: 0,
    maxWireVersion,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
  });
  const isQuery = message.readInt32LE(12) === OP_QUERY;
  // OP_REPLY: flags, cursor, start and count. OP_MSG: flags and section kind.
  const before = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeInt32LE(HEADER_LENGTH + before.length + document.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, document]);
};

/** A server that claims to be an old MongoDB server. */
export interface OldServer {
  readonly url: string;
  readonly rejected: Promise<void>; // resolves when a client has closed a connection after the answer
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port of this machine that claims to be a MongoDB server with this wire version. */
export const openOldServer = async (maxWireVersion: number): Promise<OldServer> => {
  const rejected = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.once('close', () => rejected.resolve());
    socket.on('data', (message) => socket.write(answerTo(message, maxWireVersion)));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    rejected: rejected.promise,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};
