import { MemoryStore } from '@palimpsest/memory';
import { NO_CONNECTION, type Open, type Without } from '../../src/index.ts';
import { runSuite } from '../run-suite.ts';

/**
 * A fault of an adapter: returns the methods that replace those of the working adapter `original`. `store` is the memory
 * that all handles of one store share.
 */
export type Mutant<T> = (original: T, store: MemoryStore) => Partial<T>;

/** Mutants by their flaw. The flaw completes the test title `rejects an adapter that FLAW`. */
export type Mutants<T> = Readonly<Record<string, Mutant<T>>>;

/** Opens a handle on `store`. */
export type OpenHandle<T> = (store: MemoryStore) => T;

/** Registers a contract suite. */
export type DescribeSuite<T> = (name: string, open: Open<T>, without: Without) => void;

const TIMEOUT_MS = 60_000; // of one test of the working adapter, on a busy machine
const MUTANT_TIMEOUT_MS = 5_000; // of one test of a mutant; a mutant that hangs counts as rejected

/** `original`, with some of its methods replaced by those in `changes`. */
export const changed = <T extends object>(original: T, changes: Partial<T>): T =>
  new Proxy(original, {
    get: (target, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const own: unknown = Reflect.get(target, key);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });

/** Turns mutants of one part of a subject into mutants of the subject, which has further parts, such as a clock. */
export const inPart = <K extends string, P extends object, T extends Readonly<Record<K, P>>>(
  part: K,
  mutants: Mutants<P>,
): Mutants<T> =>
  Object.fromEntries(
    Object.entries(mutants).map(([flaw, mutant]) => [
      flaw,
      (original: T, store: MemoryStore) =>
        ({ [part]: changed(original[part], mutant(original[part], store)) }) as Partial<T>,
    ]),
  );

/** Waits for the next turn of the event loop, so that concurrent calls interleave here. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Truncates a time to whole milliseconds, as a date column of a database does. */
export const wholeMs = (instant: number): number => Math.floor(instant / 1000) * 1000;

/**
 * Makes `map` treat keys as equal if they are equal after `fold`. By default it ignores case, as a database with a
 * case-insensitive collation does.
 */
export const foldKeys = (map: Map<string, unknown>, fold = (key: string): string => key.toLowerCase()): void => {
  for (const name of ['get', 'has', 'set', 'delete'] as const) {
    const own = Map.prototype[name];
    Reflect.set(map, name, (key: string, ...rest: readonly unknown[]) => Reflect.apply(own, map, [fold(key), ...rest]));
  }
};

/**
 * Registers one test that the suite accepts the working adapter, and for each mutant one test that the suite rejects it.
 * Runs only the tests of the suite whose titles contain `only`.
 */
export const describeEach = <T>(
  port: string,
  describeSuite: (open: Open<T>) => void,
  working: Open<T>,
  mutants: Readonly<Record<string, Open<T>>>,
  only = '',
): void => {
  describe(`the contract suite of ${port}`, function () {
    this.timeout(10 * TIMEOUT_MS);

    it('accepts the working adapter', async () => {
      const { passed, errors } = await runSuite(() => describeSuite(working), { timeoutMs: TIMEOUT_MS, only });
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} tests failed: ${String(errors[0])}`);
      if (passed.length === 0) throw new Error('The suite has no test that ran');
    });

    for (const [flaw, open] of Object.entries(mutants)) {
      it(`rejects an adapter that ${flaw}`, async () => {
        const options = { timeoutMs: MUTANT_TIMEOUT_MS, bail: true, only };
        const { passed, failed } = await runSuite(() => describeSuite(open), options);
        if (failed.length === 0) throw new Error(`Not rejected: all ${passed.length} tests passed`);
        // A mutant that cannot be opened or closed proves nothing about the tests.
        if (failed[0]?.includes('" hook')) throw new Error(`Rejected by a hook, not by a test: ${failed[0]}`);
      });
    }
  });
};

const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

const unchanged = (): object => ({});

/** Tests that a suite accepts an adapter and rejects each mutant of it. */
export const describeMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  mutants: Mutants<T>,
): void => {
  const without: Without = {
    openSecond: 'the mutants use one handle',
    reopen: 'the mutants use one handle',
    faults: NO_CONNECTION,
  };
  const openWith =
    (mutant: Mutant<T>): Open<T> =>
    async () => {
      const store = new MemoryStore();
      const original = openHandle(store);
      return { subject: changed(original, mutant(original, store)), close: async () => {} };
    };
  describeEach(
    port,
    (open) => describeSuite('subject', open, without),
    openWith(unchanged),
    mapValues(mutants, openWith),
  );
};

/**
 * Like {@link describeMutants}, for an adapter whose handles share data. Adds a mutant whose handles do not share data and,
 * if the adapter `keepsData` after a restart, a mutant that loses it.
 */
export const describeStoreMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  mutants: Mutants<T>,
  keepsData = true,
): void => {
  const sameStore = (store: MemoryStore): MemoryStore => store;
  const newStore = (): MemoryStore => new MemoryStore();
  const openWith =
    (mutant: Mutant<T>, ofSecond = sameStore, ofReopened = sameStore): Open<T> =>
    async () => {
      const store = new MemoryStore();
      const handle = (on: MemoryStore): T => {
        const original = openHandle(on);
        return changed(original, mutant(original, on));
      };
      return {
        subject: handle(store),
        openSecond: async () => handle(ofSecond(store)),
        reopen: async () => handle(ofReopened(store)),
        close: async () => {},
      };
    };
  describeEach(port, (open) => describeSuite('subject', open, { faults: NO_CONNECTION }), openWith(unchanged), {
    ...mapValues(mutants, (mutant) => openWith(mutant)),
    'has handles that do not share their data': openWith(unchanged, newStore),
    ...(keepsData ? { 'loses its data on a restart': openWith(unchanged, sameStore, newStore) } : {}),
  });
};
