import type { Faults } from './faults.ts';

/**
 * Opens the adapter under test. A suite calls it before each test and needs a new, empty store each time.
 *
 *     describeBlobStore(
 *       'LocalBlobStore',
 *       async () => {
 *         const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
 *         const open = () => openLocalStorage({ folder });
 *         return { subject: await open(), openSecond: open, reopen: open, close: () => rm(folder, { recursive: true }) };
 *       },
 *       { faults: NO_CONNECTION },
 *     );
 */
export type Open<T> = () => Promise<Opened<T>>;

/** An open adapter with an empty store. */
export interface Opened<T> {
  readonly subject: T;
  /** Opens a second handle on the same store, as another process would. `close` frees it too. */
  readonly openSecond?: () => Promise<T>;
  /** Closes every handle and opens the store again, as after a restart. `close` frees the new handle too. */
  readonly reopen?: () => Promise<T>;
  /**
   * Kills the process: the handles that are open now do nothing more and renew no locks. A handle of `openSecond` works
   * as in another process.
   */
  readonly kill?: () => Promise<void>;
  /** Makes the connection to the backend fail, for ports whose backend may be reached over a connection. */
  readonly faults?: Faults;
  /** Frees everything. A suite calls it once, after the test. */
  close(): Promise<void>;
}

/**
 * Features that only some adapters have: a store that can be opened twice, that survives a restart or a killed process; a
 * connection.
 */
export type Capability = 'openSecond' | 'reopen' | 'kill' | 'faults';

const titles: Readonly<Record<Capability, string>> = {
  openSecond: 'with a second handle on the same store',
  reopen: 'after a restart',
  kill: 'after its process was killed',
  faults: 'when the connection fails',
};

/**
 * The capabilities that an adapter does not have, each with the reason, which the report shows. A suite fails if an
 * adapter both provides and excludes a capability that the suite tests, or neither.
 */
export type Without = Readonly<Partial<Record<Capability, string>>>;

/**
 * Opens an adapter before each test of the surrounding `describe` and closes it afterwards, after `beforeClosing` (the
 * order of hooks differs between test runners). Returns a function that returns the open adapter.
 */
export const openForEach = <T>(open: Open<T>, beforeClosing?: () => Promise<void>): (() => Opened<T>) => {
  let opened: Opened<T> | undefined;
  beforeEach(async function openTheAdapter() {
    opened = await open();
  });
  afterEach(async function closeTheAdapter() {
    const last = opened;
    opened = undefined;
    try {
      await beforeClosing?.();
    } finally {
      await last?.close();
    }
  });
  return () => {
    if (opened === undefined) throw new TypeError('The adapter is only open during a test');
    return opened;
  };
};

/**
 * Opens an adapter once before all tests of the surrounding `describe` and closes it after them, for ports without
 * stored data. Returns a function that returns the open adapter.
 */
export const openOnce = <T>(open: Open<T>): (() => Opened<T>) => {
  let opened: Opened<T> | undefined;
  before(async function openTheAdapter() {
    opened = await open();
  });
  after(async function closeTheAdapter() {
    const last = opened;
    opened = undefined;
    await last?.close();
  });
  return () => {
    if (opened === undefined) throw new TypeError('The adapter is only open during a test');
    return opened;
  };
};

/** An `it` whose body receives the open adapter. */
export type SubjectTest<T> = (title: string, body: (subject: T) => Promise<void>) => void;

/** Returns the {@link SubjectTest} of the open adapter. */
export const testsOf =
  <T>(opened: () => Opened<T>): SubjectTest<T> =>
  (title, body) =>
    void it(title, () => body(opened().subject));

/** A `describe` with tests that need a capability. If the adapter excludes it, a skipped test shows the reason. */
const describeCapability = <C extends Capability, T>(
  capability: C,
  opened: () => Opened<T>,
  without: Without,
  tests: (given: () => NonNullable<Opened<T>[C]>) => void,
): void => {
  const reason = without[capability];
  describe(titles[capability], () => {
    if (reason !== undefined) {
      it(`provides no ${capability}: ${reason}`, () => {
        if (opened()[capability] !== undefined)
          throw new TypeError(`The adapter provides ${capability}, but \`without\` excludes it`);
      });
      it.skip(`is skipped: ${reason}`, () => undefined);
      return;
    }
    const given = (): NonNullable<Opened<T>[C]> => {
      const own = opened()[capability];
      if (own === undefined)
        throw new TypeError(`The adapter provides no ${capability}. Provide it, or state the reason in \`without\``);
      return own;
    };
    beforeEach(function checkTheCapability() {
      given();
    });
    tests(given);
  });
};

/** A `describe` with tests that need a second handle or a restart. See {@link Without}. */
export const describeWith = <T>(
  capability: 'openSecond' | 'reopen',
  opened: () => Opened<T>,
  without: Without,
  tests: (other: () => Promise<T>) => void,
): void => describeCapability(capability, opened, without, (given) => tests(() => given()()));

/** A `describe` with tests that kill the process of the open handles. See {@link Without}. */
export const describeWithKill = <T>(
  opened: () => Opened<T>,
  without: Without,
  tests: (kill: () => Promise<void>) => void,
): void => describeCapability('kill', opened, without, (given) => tests(() => given()()));

/** A `describe` with tests that make the connection fail. See {@link Without}. */
export const describeWithFaults = <T>(
  opened: () => Opened<T>,
  without: Without,
  tests: (faults: () => Faults) => void,
): void => describeCapability('faults', opened, without, tests);
