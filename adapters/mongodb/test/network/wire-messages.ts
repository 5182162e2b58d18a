import { BSON, type Document } from 'mongodb';

const HEADER_LENGTH = 16;
export const BODY_OFFSET = HEADER_LENGTH + 5; // after the flags and the section kind
const OP_MSG = 2013;

/** Joins chunks of the wire protocol to complete messages. */
export async function* messagesFrom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_LENGTH && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
}

/** The body of an OP_MSG message; `undefined` for an older message type. */
export const bodyOf = (message: Buffer): Document | undefined =>
  message.readInt32LE(12) === OP_MSG
    ? BSON.deserialize(message.subarray(BODY_OFFSET, BODY_OFFSET + message.readInt32LE(BODY_OFFSET)))
    : undefined;
