import { MemoryStore } from '@palimpsest/memory';
import { NO_CONNECTION } from '../../src/faults.ts';
import type { Open, Without } from '../../src/harness.ts';
import { runSuite, type RunOptions } from '../run-suite.ts';

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

const TIMEOUT_MS = 60_000; // as long as the working adapter may take on a busy machine

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

/** Waits one turn of the event loop, so that concurrent calls interleave here. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Cuts a moment to whole milliseconds, as a date column of a database does. */
export const wholeMs = (instant: number): number => Math.floor(instant / 1000) * 1000;

/** Makes the keys of `map` equal if they differ only by case, as a database with a case-insensitive collation does. */
export const foldCase = (map: Map<string, unknown>): void => {
  for (const name of ['get', 'has', 'set', 'delete'] as const) {
    const own = Map.prototype[name];
    Reflect.set(map, name, (key: string, ...rest: readonly unknown[]) =>
      Reflect.apply(own, map, [key.toLowerCase(), ...rest]),
    );
  }
};

/** Registers one test for each mutant, which fails if the suite passes the mutant. */
const describeEach = <T>(
  port: string,
  openers: Readonly<Record<string, Open<T>>>,
  runMutant: (open: Open<T>, options: RunOptions) => ReturnType<typeof runSuite>,
  open: Open<T>,
): void => {
  describe(`the contract suite of ${port}`, function () {
    this.timeout(10 * TIMEOUT_MS);

    it('passes the working adapter', async () => {
      const { passed, errors } = await runMutant(open, { timeoutMs: TIMEOUT_MS });
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} tests failed: ${errors[0]}`);
      if (passed.length === 0) throw new Error('The suite has no test that ran');
    });

    for (const [flaw, mutant] of Object.entries(openers)) {
      it(`catches an adapter that ${flaw}`, async () => {
        const { passed, failed } = await runMutant(mutant, { timeoutMs: TIMEOUT_MS, bail: true });
        if (process.env.SHOW) console.log('        ' + failed[0]?.slice(8));
        if (failed.length === 0) throw new Error(`Not caught: all ${passed.length} tests passed`);
      });
    }
  });
};

const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

/** Tests that a suite passes an adapter and catches each mutant of it. `only` limits the tests of the suite by title. */
export const describeMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  mutants: Mutants<T>,
  only?: string,
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
    mapValues(mutants, openWith),
    (open, options) => runSuite(() => describeSuite('subject', open, without), only ? { ...options, only } : options),
    openWith(() => ({})),
  );
};

/** As {@link describeMutants}, for an adapter that keeps data: with the mutants whose handles do not share their data. */
export const describeStoreMutants = <T extends object>(
  port: string,
  describeSuite: DescribeSuite<T>,
  openHandle: OpenHandle<T>,
  mutants: Mutants<T>,
): void => {
  const openWith =
    (mutant: Mutant<T>, seconds = (store: MemoryStore) => store, reopened = (store: MemoryStore) => store): Open<T> =>
    async () => {
      const store = new MemoryStore();
      const handle = async (on: MemoryStore): Promise<T> => {
        const sound = openHandle(on);
        return changed(sound, mutant(sound, on));
      };
      return {
        subject: await handle(store),
        openSecond: () => handle(seconds(store)),
        reopen: () => handle(reopened(store)),
        close: async () => {},
      };
    };
  const sound: Mutant<T> = () => ({});
  const another = (): MemoryStore => new MemoryStore();
  describeEach(
    port,
    {
      ...mapValues(mutants, (mutant) => openWith(mutant)),
      'has handles that do not see the data of each other': openWith(sound, another),
      'has lost its data after a restart': openWith(sound, undefined, another),
    },
    (open, options) => runSuite(() => describeSuite('subject', open, { faults: NO_CONNECTION }), options),
    openWith(sound),
  );
};
