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

/** How a suite is run. */
export interface RunOptions {
  /** The longest time of a test or hook. A shorter timeout of the suite itself is kept. */
  readonly timeoutMs?: number;
  /** Stops at the first failure. */
  readonly bail?: boolean;
  /** Runs only the tests whose full title contains this text. */
  readonly only?: string;
}

/** The result of a run. */
export interface SuiteRun {
  readonly passed: readonly string[]; // full titles
  readonly failed: readonly string[]; // full titles, also of hooks
  readonly skipped: readonly string[]; // full titles
  readonly errors: readonly unknown[]; // errors[i] belongs to failed[i]
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

const limitTimeouts = (suite: Mocha.Suite, timeoutMs: number): void => {
  const hooks = ['_beforeAll', '_afterAll', '_beforeEach', '_afterEach'].flatMap((name): Mocha.Hook[] =>
    Reflect.get(suite, name),
  );
  for (const runnable of [...suite.tests, ...hooks]) {
    const own = runnable.timeout();
    runnable.timeout(own > 0 ? Math.min(own, timeoutMs) : timeoutMs);
  }
  for (const inner of suite.suites) limitTimeouts(inner, timeoutMs);
};

const removeUncaughtListeners = (): void => {
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
};

/**
 * Directs uncaught errors to the inner run: removes the listeners of the outer runner, and turns an unhandled rejection
 * into an uncaught exception, as the command line of mocha does. Returns a function that restores the listeners.
 */
const redirectUncaughtErrors = (): (() => void) => {
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
 * Runs the tests that `describeSuite` registers in a separate mocha instance, inside this process. The outer run receives
 * neither their output nor their failures. Only one call may run at a time.
 */
export const runSuite = async (
  describeSuite: () => void,
  { timeoutMs = 20_000, bail = false, only = '' }: RunOptions = {},
): Promise<SuiteRun> => {
  // `Base` is the reporter that counts but prints nothing.
  const mocha = new Mocha({ reporter: Mocha.reporters.Base, ui: 'bdd', timeout: timeoutMs, bail });
  if (only !== '') mocha.fgrep(only);
  const context: Record<string, unknown> = {};
  mocha.suite.emit('pre-require', context, '', mocha);
  withGlobals(context, describeSuite);
  limitTimeouts(mocha.suite, timeoutMs);

  const passed: string[] = [];
  const failed: string[] = [];
  const skipped: string[] = [];
  const errors: unknown[] = [];
  const restoreListeners = redirectUncaughtErrors();
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
    // Node reports a rejection that the last test left unhandled only after the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    restoreListeners();
  }
  return { passed, failed, skipped, errors };
};
