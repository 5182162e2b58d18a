import Mocha from 'mocha';

/** The globals through which a suite registers itself. */
const globalNames = [
  'describe',
  'context',
  'it',
  'specify',
  'before',
  'after',
  'beforeEach',
  'afterEach',
  'xdescribe',
  'xit',
] as const;

/** How a suite is run to see what it catches. */
export interface CatchingRules {
  /** No test or hook may take longer; a shorter time of its own is kept. */
  readonly timeoutMs?: number;
  /** Stop at the first failure: for suites whose tests take their time. */
  readonly bail?: boolean;
}

/** What a run of a suite gave. */
export interface InnerRun {
  readonly passed: readonly string[]; // full titles
  readonly failed: readonly string[]; // full titles, of hooks too
  readonly skipped: readonly string[];
  readonly errors: readonly unknown[]; // by index those of `failed`
}

const withGlobals = (context: Record<string, unknown>, action: () => void): void => {
  const outer = globalNames.map((name): [string, unknown] => [name, Reflect.get(globalThis, name)]);
  for (const name of globalNames) Reflect.set(globalThis, name, context[name]);
  try {
    action();
  } finally {
    for (const [name, value] of outer) Reflect.set(globalThis, name, value);
  }
};

const capTimeouts = (suite: Mocha.Suite, timeoutMs: number): void => {
  const hooks = ['_beforeAll', '_afterAll', '_beforeEach', '_afterEach'].flatMap((name): Mocha.Hook[] =>
    Reflect.get(suite, name),
  );
  for (const runnable of [...suite.tests, ...hooks]) {
    const own = runnable.timeout();
    runnable.timeout(own > 0 ? Math.min(own, timeoutMs) : timeoutMs);
  }
  for (const inner of suite.suites) capTimeouts(inner, timeoutMs);
};

const removeUncaughtListeners = (): void => {
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
};

/**
 * What nobody caught belongs to the inner run while it lasts: the outer runner's listeners are put aside, and a
 * rejection that nobody handled becomes an uncaught exception, as mocha's own command line has it.
 */
const takeUncaught = (): (() => void) => {
  const exceptionListeners = process.listeners('uncaughtException');
  const rejectionListeners = process.listeners('unhandledRejection');
  removeUncaughtListeners();
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
  return () => {
    removeUncaughtListeners();
    for (const listener of exceptionListeners) process.on('uncaughtException', listener);
    for (const listener of rejectionListeners) process.on('unhandledRejection', listener);
  };
};

/**
 * Runs what `describeSuite` describes in a mocha of its own, inside this process, and resolves with what came of it.
 * Nothing of it reaches the run outside. One at a time.
 */
export const runInside = async (
  describeSuite: () => void,
  { timeoutMs = 2_000, bail = false }: CatchingRules = {},
): Promise<InnerRun> => {
  // The base of all reporters counts, and prints nothing.
  const mocha = new Mocha({ reporter: Mocha.reporters.Base, ui: 'bdd', timeout: timeoutMs, bail });
  const context: Record<string, unknown> = {};
  mocha.suite.emit('pre-require', context, '', mocha);
  withGlobals(context, describeSuite);
  capTimeouts(mocha.suite, timeoutMs);

  const passed: string[] = [];
  const failed: string[] = [];
  const skipped: string[] = [];
  const errors: unknown[] = [];
  const giveBack = takeUncaught();
  try {
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on('pass', (test) => passed.push(test.fullTitle()));
      runner.on('pending', (test) => skipped.push(test.fullTitle()));
      runner.on('fail', (test, error) => {
        failed.push(test.fullTitle());
        errors.push(error);
      });
    });
    // A rejection that the last test left behind is noticed a turn later.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    giveBack();
  }
  return { passed, failed, skipped, errors };
};

/**
 * Proves that a suite catches a broken adapter: runs it on the adapter, and resolves with the full titles of the tests
 * and hooks that failed. Throws if none did, or if the suite held no test.
 */
export const expectCaught = async (
  describeSuite: () => void,
  rules: CatchingRules = {},
): Promise<readonly string[]> => {
  const run = await runInside(describeSuite, rules);
  if (run.failed.length > 0) return run.failed;
  throw new Error(
    run.passed.length === 0
      ? 'The suite has no test that ran, so it catches nothing'
      : `Not caught: all ${run.passed.length} tests of the suite passed`,
  );
};
