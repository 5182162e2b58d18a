import { BSON, type Document } from 'mongodb';

const HEADER_LENGTH = 16;
export const BODY_OFFSET = HEADER_LENGTH + 5; // behind the flags and the kind of the section
const OP_MSG = 2013;

/** Whole messages of the protocol, as they come in pieces. */
export async function* messagesFrom(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= HEADER_LENGTH && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
}

/** What a message asks or answers; `undefined` for one that is of an older form. */
export const bodyOf = (message: Buffer): Document | undefined =>
  message.readInt32LE(12) === OP_MSG
    ? BSON.deserialize(message.subarray(BODY_OFFSET, BODY_OFFSET + message.readInt32LE(BODY_OFFSET)))
    : undefined;
