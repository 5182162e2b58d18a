export { expectCaught, runInside, type CatchingRules, type InnerRun } from './expect-caught.ts';

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
  /** Frees everything that opening took. Called once, last. */
  close(): Promise<void>;
}

/** What not every adapter can give: a store that is opened twice, a store that outlives its process. */
export type Capability = 'openSecond' | 'reopen';

/**
 * The capabilities that an adapter does without, each with the reason, which is printed with the skipped tests. An
 * adapter that gives a capability and denies it, or neither gives nor denies it, fails its suite.
 */
export type Without = Readonly<Partial<Record<Capability, string>>>;

/** Opens an adapter for each test of the `describe` that this is called in, and closes it. Gives the open one. */
export const openForEach = <T>(open: Open<T>): (() => Opened<T>) => {
  let opened: Opened<T> | undefined;
  beforeEach('open the adapter', async () => {
    opened = await open();
  });
  afterEach('close the adapter', async () => {
    const last = opened;
    opened = undefined;
    await last?.close();
  });
  return () => {
    if (opened === undefined) throw new TypeError('No adapter is open outside a test');
    return opened;
  };
};

/**
 * A `describe` for what needs a capability: `tests` are given a function that opens the other handle. Where the adapter
 * does without, one skipped test says so and why; that it really does without is tested as well.
 */
export const describeWith = <T>(
  capability: Capability,
  opened: () => Opened<T>,
  without: Without,
  tests: (other: () => Promise<T>) => void,
): void => {
  const reason = without[capability];
  const title = capability === 'openSecond' ? 'with a second handle on the same store' : 'after the store was opened anew';
  describe(title, () => {
    if (reason !== undefined) {
      it(`is not given: ${reason}`, () => {
        if (opened()[capability] !== undefined) throw new TypeError(`The adapter denies ${capability} and yet gives it`);
      });
      it.skip(`is left out, because ${reason}`);
      return;
    }
    tests(() => {
      const other = opened()[capability];
      if (other === undefined) throw new TypeError(`The adapter gives no ${capability}; name the reason in \`without\``);
      return other();
    });
  });
};
