import { AppError } from '@palimpsest/core';
import { isConnectionReset, soundConduct, type BlobConduct, type Conduct } from './fake-connection.ts';

const TRIES = 5;

const unavailable = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The store cannot be reached now.');

/** An adapter that does `instead` when its connection is cut. */
const whenCut =
  (instead: () => unknown): Conduct =>
  (connection) =>
  async <R>(request: () => Promise<R>): Promise<R> => {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!isConnectionReset(error)) throw error;
      return (await instead()) as R;
    }
  };

/** Ways to go wrong when a connection fails, for {@link overConnection}; each is caught on every port. */
export const faultMutants: Readonly<Record<string, Conduct>> = {
  'throws what its driver throws': (connection) => (request) => connection.send(request),
  'swallows the error and answers undefined': whenCut(() => undefined),
  'takes a cut connection for a thing that is not there': whenCut(() => {
    throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such thing.');
  }),
  'waits for ever when the connection is cut': whenCut(() => new Promise(() => undefined)),
  'never connects again': (connection) => {
    let isOver = false;
    return async (request) => {
      if (isOver) throw unavailable();
      try {
        return await soundConduct(connection)(request);
      } catch (error) {
        isOver ||= error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
        throw error;
      }
    };
  },
  'gives up on a slow backend': (connection) => async (request) => {
    const timer = Promise.withResolvers<never>();
    const timeout = setTimeout(() => timer.reject(unavailable()), 20);
    try {
      return await Promise.race([soundConduct(connection)(request), timer.promise]);
    } finally {
      clearTimeout(timeout);
    }
  },
};

/** An adapter that loses a call while another one is under way: caught where a port has calls that may overlap. */
export const losesOverlappingCalls: Conduct = (connection) => (request) =>
  connection.underWay > 0 ? new Promise(() => undefined) : soundConduct(connection)(request);

/**
 * An adapter that repeats a request of which it does not know whether it was carried out: caught on every port on which
 * it makes a difference.
 */
export const repeatsBlindly: Conduct = (connection) => async (request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!isConnectionReset(error)) throw error;
      if (tries >= TRIES) throw unavailable();
    }
  }
};

async function* given(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const nothing: BlobConduct = {
  halfStored: async () => {},
  halfRead: () => {
    throw unavailable();
  },
};

/** Ways to go wrong with bytes whose connection is cut, for {@link calledBlobStore}. */
export const blobFaultMutants: Readonly<Record<string, BlobConduct>> = {
  'keeps the half of a blob that came before the cut': {
    ...nothing,
    halfStored: async (sound, key, pieces) => void (await sound.put(key, given(pieces))),
  },
  'takes the cut for the end of a blob that is read': { ...nothing, halfRead: () => undefined },
  'throws what its driver throws in the middle of a blob': {
    ...nothing,
    halfRead: () => {
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    },
  },
};
