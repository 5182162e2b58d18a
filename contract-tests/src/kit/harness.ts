import type { Faults } from './faults.ts';

/**
 * How a suite is given the adapter that it tests: a function that opens a fresh, empty one for each test.
 *
 *     describeDocumentRepository('SqliteDocumentRepository', async () => {
 *       const folder = await mkdtemp(join(tmpdir(), 'documents-'));
 *       const first = openSqlite(folder);
 *       const second = openSqlite(folder);
 *       return {
 *         subject: first.documents,
 *         openSecond: () => Promise.resolve(second.documents),
 *         close: async () => { … },
 *       };
 *     });
 */
export type Open<T> = () => Promise<Opened<T>>;

/** An adapter over a store of its own that holds nothing yet. */
export interface Opened<T> {
  readonly subject: T;
  /** One more handle on the same store beside the first, as another process would have it. `close` frees it too. */
  readonly openSecond?: () => Promise<T>;
  /** Closes every handle, then opens the store anew, as after a restart. `close` frees that handle too. */
  readonly reopen?: () => Promise<T>;
  /** Faults of the way to the backend: asked for by the ports that may be served over a connection. */
  readonly faults?: Faults;
  /** Frees everything that opening took. Called once, last. */
  close(): Promise<void>;
}

/** What not every adapter can give: a store that is opened twice, one that outlives its process, a connection that fails. */
export type Capability = 'openSecond' | 'reopen' | 'faults';

const titles: Readonly<Record<Capability, string>> = {
  openSecond: 'with a second handle on the same store',
  reopen: 'after the store was opened anew',
  faults: 'when the connection fails',
};

/**
 * The capabilities that an adapter does without, each with the reason, which is printed with the skipped tests. An
 * adapter that gives a capability and denies it, or neither gives nor denies it, fails its suite.
 */
export type Without = Readonly<Partial<Record<Capability, string>>>;

/**
 * Opens an adapter for each test of the `describe` that this is called in, and closes it, after `beforeClosing` (runners
 * do not agree on the order of hooks). Gives the open one.
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
    if (opened === undefined) throw new TypeError('No adapter is open outside a test');
    return opened;
  };
};

/**
 * A `describe` for what needs a capability: `tests` are given a function that gives it. Where the adapter does without,
 * one skipped test says so and why; that it really does without is tested as well.
 */
const describeCapability = <C extends Capability, T>(
  capability: C,
  opened: () => Opened<T>,
  without: Without,
  tests: (given: () => NonNullable<Opened<T>[C]>) => void,
): void => {
  const reason = without[capability];
  describe(titles[capability], () => {
    if (reason !== undefined) {
      it(`is not given: ${reason}`, () => {
        if (opened()[capability] !== undefined)
          throw new TypeError(`The adapter denies ${capability} and yet gives it`);
      });
      it.skip(`is left out, because ${reason}`, () => undefined);
      return;
    }
    const given = (): NonNullable<Opened<T>[C]> => {
      const own = opened()[capability];
      if (own === undefined) throw new TypeError(`The adapter gives no ${capability}; name the reason in \`without\``);
      return own;
    };
    beforeEach(function lookForTheCapability() {
      given();
    });
    tests(given);
  });
};

/** A `describe` for what needs another handle; `tests` are given a function that opens it. See {@link Without}. */
export const describeWith = <T>(
  capability: 'openSecond' | 'reopen',
  opened: () => Opened<T>,
  without: Without,
  tests: (other: () => Promise<T>) => void,
): void => describeCapability(capability, opened, without, (given) => tests(() => given()()));

/** A `describe` for what needs faults of the connection; `tests` are given a function that gives them. See {@link Without}. */
export const describeWithFaults = <T>(
  opened: () => Opened<T>,
  without: Without,
  tests: (faults: () => Faults) => void,
): void => describeCapability('faults', opened, without, tests);
