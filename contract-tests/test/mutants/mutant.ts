import { MemoryStore } from '@palimpsest/memory';
import { NO_CONNECTION, type Open, type Without } from '../../src/index.ts';
import { runSuite } from '../run-suite.ts';

/**
 * A fault of an adapter: gives the methods that replace those of the working adapter `sound`. `store` is the memory that
 * all handles of one store share.
 */
export type Mutant<T> = (sound: T, store: MemoryStore) => Partial<T>;

/** Mutants by what is wrong with them: `Mutant NAME` reads as a sentence. */
export type Mutants<T> = Readonly<Record<string, Mutant<T>>>;

/** Opens a handle on `store`. */
export type OpenHandle<T> = (store: MemoryStore) => T;

/** Registers a contract suite. */
export type DescribeSuite<T> = (name: string, open: Open<T>, without: Without) => void;

const TIMEOUT_MS = 60_000; // of one test of the working adapter, on a busy machine
const MUTANT_TIMEOUT_MS = 5_000; // of one test of a mutant, which counts as caught if it hangs

/** `sound` with the methods in `changes` in place of its own. */
export const changed = <T extends object>(sound: T, changes: Partial<T>): T =>
  new Proxy(sound, {
    get: (target, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const own: unknown = Reflect.get(target, key);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });

/** Mutants of one part of the subject of a suite, where that subject has further parts, such as a clock. */
export const inPart = <K extends string, P extends object, T extends Readonly<Record<K, P>>>(
  part: K,
  mutants: Mutants<P>,
): Mutants<T> =>
  Object.fromEntries(
    Object.entries(mutants).map(([flaw, mutant]) => [
      flaw,
      (sound: T, store: MemoryStore) => ({ [part]: changed(sound[part], mutant(sound[part], store)) }) as Partial<T>,
    ]),
  );

/** All items of `items`, each mapped before the next one is taken. */
export const collected = async <T, R>(items: AsyncIterable<T>, map: (item: T) => R): Promise<R[]> => {
  const all: R[] = [];
  for await (const item of items) all.push(map(item));
  return all;
};

/** Waits one turn of the event loop, so that concurrent calls interleave here. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Cuts a moment to whole milliseconds, as a date column of a database does. */
export const wholeMs = (instant: number): number => Math.floor(instant / 1000) * 1000;

/**
 * Makes keys of `map` equal that are equal after `fold`: by default those that differ only by case, as in a database with
 * a case-insensitive collation.
 */
export const foldKeys = (map: Map<string, unknown>, fold = (key: string): string => key.toLowerCase()): void => {
  for (const name of ['get', 'has', 'set', 'delete'] as const) {
    const own = Map.prototype[name];
    Reflect.set(map, name, (key: string, ...rest: readonly unknown[]) => Reflect.apply(own, map, [fold(key), ...rest]));
  }
};

/**
 * Registers a test that the suite passes the working adapter, and for each mutant one that fails if the suite passes it
 * too. `only` limits the tests of the suite to those with this text in their titles.
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

    it('passes the working adapter', async () => {
      const { passed, errors } = await runSuite(() => describeSuite(working), { timeoutMs: TIMEOUT_MS, only });
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} tests failed: ${String(errors[0])}`);
      if (passed.length === 0) throw new Error('The suite has no test that ran');
    });

    for (const [flaw, open] of Object.entries(mutants)) {
      it(`catches an adapter that ${flaw}`, async () => {
        const options = { timeoutMs: MUTANT_TIMEOUT_MS, bail: true, only };
        const { passed, failed } = await runSuite(() => describeSuite(open), options);
        if (failed.length === 0) throw new Error(`Not caught: all ${passed.length} tests passed`);
        // A mutant that cannot even be opened or closed proves nothing about the tests.
        if (failed[0]?.includes('" hook')) throw new Error(`Not caught by a test: ${failed[0]}`);
      });
    }
  });
};

const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

const unchanged = (): object => ({});

/** Tests that a suite passes an adapter and catches each mutant of it. */
export const describeMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  mutants: Mutants<T>,
): void => {
  const without: Without = { openSecond: 'one is enough here', reopen: 'one is enough here', faults: NO_CONNECTION };
  const openWith =
    (mutant: Mutant<T>): Open<T> =>
    async () => {
      const store = new MemoryStore();
      const sound = openHandle(store);
      return { subject: changed(sound, mutant(sound, store)), close: async () => {} };
    };
  describeEach(
    port,
    (open) => describeSuite('subject', open, without),
    openWith(unchanged),
    mapValues(mutants, openWith),
  );
};

/**
 * As {@link describeMutants}, for an adapter whose handles share data, with the mutants that do not share it.
 * `keepsData`: its data survives a restart.
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
        const sound = openHandle(on);
        return changed(sound, mutant(sound, on));
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
    'has handles that do not see the data of each other': openWith(unchanged, newStore),
    ...(keepsData ? { 'has lost its data after a restart': openWith(unchanged, sameStore, newStore) } : {}),
  });
};
