import { AppError, type BlobStore, type RateCounters } from '@palimpsest/core';
import {
  MemoryAccountRepository,
  MemoryAccountTokenRepository,
  MemoryBlobStore,
  MemoryClock,
  MemoryDocumentRepository,
  MemoryIdempotencyRepository,
  MemoryMailer,
  MemoryMailLedger,
  MemoryPageRepository,
  MemoryRateCounters,
  MemoryRevisionRepository,
  MemorySearchIndex,
  MemorySessionRepository,
  MemoryStore,
} from '@palimpsest/memory';
import {
  describeAccountRepository,
  describeAccountTokenRepository,
  describeBlobStore,
  describeDocumentRepository,
  describeIdempotencyRepository,
  describeMailer,
  describeMailLedger,
  describePageRepository,
  describeRateCounters,
  describeRevisionRepository,
  describeSearchIndex,
  describeSessionRepository,
  type TimedRateCounters,
  type WatchedMailer,
} from '../../src/index.ts';
import {
  calledOver,
  ConnectionReset,
  openOver,
  workingDriver,
  type Driver,
  type FakeConnection,
  type Send,
} from './connection.ts';
import { collected } from '../../src/kit/collected.ts';
import { changed, describeEach, type DescribeSuite, type OpenHandle } from './mutant.ts';

const FAULT_TESTS = 'when the connection fails';

const unavailable = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The store cannot be reached now.');

/** Calls `instead` when a call fails because of its connection. */
const onReset =
  (instead: () => unknown): Driver =>
  (connection) =>
  async <R>(request: () => Promise<R>): Promise<R> => {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      return (await instead()) as R;
    }
  };

const throwsDriverErrors: Driver = (connection) => (request) => connection.send(request);

/** Repeats a request although the lost one may have taken effect. */
const repeatsRequests: Driver = (connection) => async (request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await connection.send(request);
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      if (tries >= 5) throw unavailable();
    }
  }
};

const perPort: Readonly<Record<string, Driver>> = {
  'throws the errors of its driver': throwsDriverErrors,
  'repeats a request that may have taken effect': repeatsRequests,
};

// All ports share the tests of faults, so one port is enough for these drivers.
const general: Readonly<Record<string, Driver>> = {
  ...perPort,
  'ignores the error of the connection and returns undefined': onReset(() => undefined),
  'reports a failed connection as not found': onReset(() => {
    throw new AppError('DOCUMENT_NOT_FOUND', 'There is no such document.');
  }),
  'waits forever when the connection is cut': onReset(() => new Promise(() => undefined)),
  'never reconnects': (connection) => {
    let isClosed = false;
    return async (request) => {
      if (isClosed) throw unavailable();
      try {
        return await workingDriver(connection)(request);
      } catch (error) {
        isClosed ||= error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
        throw error;
      }
    };
  },
  'never answers a call while another one runs': (connection) => (request) =>
    connection.running > 0 ? new Promise(() => undefined) : workingDriver(connection)(request),
};

const describeFaultMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  drivers: Readonly<Record<string, Driver>>,
  call?: (adapter: T, send: Send, connection: FakeConnection) => T,
): void =>
  describeEach(
    `${port} with faults of the connection`,
    (open) => describeSuite('subject', open, {}),
    openOver(openHandle, workingDriver, call),
    Object.fromEntries(
      Object.entries(drivers).map(([flaw, driver]) => [flaw, openOver(openHandle, driver, call)] as const),
    ),
    FAULT_TESTS,
  );

describeFaultMutants(
  'DocumentRepository',
  describeDocumentRepository,
  (store) => new MemoryDocumentRepository(store),
  general,
);
describeFaultMutants(
  'RevisionRepository',
  describeRevisionRepository,
  (store) => new MemoryRevisionRepository(store),
  perPort,
);
describeFaultMutants(
  'AccountRepository',
  describeAccountRepository,
  (store) => new MemoryAccountRepository(store),
  perPort,
);
describeFaultMutants(
  'SessionRepository',
  describeSessionRepository,
  (store) => new MemorySessionRepository(store),
  perPort,
);
describeFaultMutants(
  'AccountTokenRepository',
  describeAccountTokenRepository,
  (store) => new MemoryAccountTokenRepository(store),
  perPort,
);
describeFaultMutants(
  'IdempotencyRepository',
  describeIdempotencyRepository,
  (store) => new MemoryIdempotencyRepository(store),
  perPort,
);
describeFaultMutants('MailLedger', describeMailLedger, (store) => new MemoryMailLedger(store), perPort);

// A driver that repeats the requests of these ports is correct, because the requests are idempotent.
const idempotent = { 'throws the errors of its driver': throwsDriverErrors };
describeFaultMutants('PageRepository', describePageRepository, (store) => new MemoryPageRepository(store), idempotent);
describeFaultMutants('SearchIndex', describeSearchIndex, (store) => new MemorySearchIndex(store), idempotent);

/** Calls a blob store over the connection. `atCutOf` is called when the connection is cut during a transfer. */
const callBlobs =
  (atCutOf: { readonly put?: () => void; readonly get?: () => void }) =>
  (blobs: BlobStore, send: Send, connection: FakeConnection): BlobStore => {
    async function* passed(chunks: AsyncIterable<Uint8Array>, atCut: () => void): AsyncGenerator<Uint8Array> {
      const { signal } = connection;
      for await (const chunk of chunks) {
        if (signal.aborted) return atCut();
        yield chunk;
      }
    }
    const refuse = (): never => {
      throw unavailable();
    };
    return changed(calledOver(blobs, send), {
      put: (key, source) => send(() => blobs.put(key, passed(source, atCutOf.put ?? refuse))),
      get: async (key, range) => {
        const chunks = await send(() => blobs.get(key, range));
        return chunks && passed(chunks, atCutOf.get ?? refuse);
      },
      list: async function* () {
        yield* await send(() => collected(blobs.list(), (info) => info));
      },
    });
  };

const blobClock = { now: (): number => Date.now() * 1000 };
const openBlobs = (store: MemoryStore): BlobStore => new MemoryBlobStore(store, blobClock);

describeFaultMutants('BlobStore', describeBlobStore, openBlobs, perPort, callBlobs({}));
const openCut = (atCutOf: Parameters<typeof callBlobs>[0]) => openOver(openBlobs, workingDriver, callBlobs(atCutOf));
describeEach(
  'BlobStore with a connection that is cut in the middle of a blob',
  (open) => describeBlobStore('subject', open),
  openCut({}),
  {
    'stores the first half of a blob': openCut({ put: () => {} }),
    'returns the first half of a blob as the whole': openCut({ get: () => {} }),
    'throws the error of its driver': openCut({
      get: () => {
        throw new ConnectionReset('read ECONNRESET');
      },
    }),
  },
  FAULT_TESTS,
);

const openMailer = () => {
  const mailer = new MemoryMailer();
  const delivered: WatchedMailer['delivered'] = async () =>
    mailer.delivered.map(({ envelope, to, date, attachment: _attachment, ...mail }) => ({
      ...mail,
      from: envelope.from,
      to: [to],
      dateMs: date / 1000,
      attachments: [],
    }));
  return { mailer, delivered };
};

describeFaultMutants(
  'Mailer',
  (name, open) =>
    describeMailer(name, open, { openSecond: 'the mutants use one handle', reopen: 'the mutants use one handle' }),
  openMailer,
  idempotent,
  ({ mailer, delivered }, send) => ({ mailer: calledOver(mailer, send), delivered }),
);

const clock = new MemoryClock();
const openCounters = (store: MemoryStore): TimedRateCounters => ({
  counters: new MemoryRateCounters(store, clock),
  advance: (ms) => clock.advance(ms),
  now: () => clock.now(),
});

/** Counts in the memory of the process while the connection fails. */
const withFallback = (counters: RateCounters, send: Send): RateCounters => {
  const local = new MemoryRateCounters(new MemoryStore(), clock);
  return new Proxy(counters, {
    get:
      (target, key) =>
      async (...given: readonly unknown[]) => {
        try {
          return await send(async () => Reflect.apply(Reflect.get(target, key), target, given));
        } catch {
          return await Reflect.apply(Reflect.get(local, key), local, given);
        }
      },
  });
};

const openCountersOver = (call: (counters: RateCounters, send: Send) => RateCounters) =>
  openOver(openCounters, workingDriver, (subject, send) => ({ ...subject, counters: call(subject.counters, send) }));
describeEach(
  'RateCounters with faults of the connection',
  (open) => describeRateCounters('subject', open),
  openCountersOver(withFallback),
  { 'throws while the connection fails': openCountersOver(calledOver) },
  FAULT_TESTS,
);
