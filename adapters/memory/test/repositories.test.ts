import {
  NO_CONNECTION,
  describeAccountRepository,
  describeAccountTokenRepository,
  describeDocumentRepository,
  describeIdempotencyRepository,
  describeMailLedger,
  describePageRepository,
  describeRevisionRepository,
  describeSearchIndex,
  describeSessionRepository,
  type Open,
} from '@palimpsest/contract-tests';
import {
  MemoryAccountRepository,
  MemoryAccountTokenRepository,
  MemoryDocumentRepository,
  MemoryIdempotencyRepository,
  MemoryMailLedger,
  MemoryPageRepository,
  MemoryRevisionRepository,
  MemorySearchIndex,
  MemorySessionRepository,
  MemoryStore,
} from '@palimpsest/memory';

const openWith =
  <T>(make: (store: MemoryStore) => T): Open<T> =>
  () => {
    const store = new MemoryStore();
    return Promise.resolve({
      subject: make(store),
      openSecond: () => Promise.resolve(make(store)),
      close: () => Promise.resolve(),
    });
  };

const without = { reopen: 'memory ends with the process', faults: NO_CONNECTION };

describeDocumentRepository(
  'MemoryDocumentRepository',
  openWith((store) => new MemoryDocumentRepository(store)),
  without,
);
describePageRepository(
  'MemoryPageRepository',
  openWith((store) => new MemoryPageRepository(store)),
  without,
);
describeRevisionRepository(
  'MemoryRevisionRepository',
  openWith((store) => new MemoryRevisionRepository(store)),
  without,
);
describeAccountRepository(
  'MemoryAccountRepository',
  openWith((store) => new MemoryAccountRepository(store)),
  without,
);
describeSessionRepository(
  'MemorySessionRepository',
  openWith((store) => new MemorySessionRepository(store)),
  without,
);
describeAccountTokenRepository(
  'MemoryAccountTokenRepository',
  openWith((store) => new MemoryAccountTokenRepository(store)),
  without,
);
describeMailLedger(
  'MemoryMailLedger',
  openWith((store) => new MemoryMailLedger(store)),
  without,
);
describeIdempotencyRepository(
  'MemoryIdempotencyRepository',
  openWith((store) => new MemoryIdempotencyRepository(store)),
  without,
);
describeSearchIndex(
  'MemorySearchIndex',
  openWith((store) => new MemorySearchIndex(store)),
  without,
);
