import type { Open } from '../kit/harness.ts';

/** A sound adapter made unsound: given how to open the one, how to open the other. */
export type Mutant<T> = (openSound: Open<T>) => Open<T>;

/** Mutants by what is wrong with them. */
export type Mutants<T> = Readonly<Record<string, Mutant<T>>>;

/** `sound` with `changes` in place of its own methods. */
const changed = <T extends object>(sound: T, changes: Partial<T>): T =>
  new Proxy(sound, {
    get: (target, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const own: unknown = Reflect.get(target, key);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });

/**
 * A mutant with some methods of its own. `begin` is called once for each store, so that what it keeps is shared by the
 * handles on it; what it gives is called for each handle with the sound one.
 */
export const mutant =
  <T extends object>(begin: () => (sound: T) => Partial<T>): Mutant<T> =>
  (openSound) =>
  async () => {
    const alter = begin();
    const opened = await openSound();
    const { openSecond, reopen } = opened;
    const altered = (sound: T): T => changed(sound, alter(sound));
    return {
      subject: altered(opened.subject),
      ...(openSecond === undefined ? {} : { openSecond: async () => altered(await openSecond()) }),
      ...(reopen === undefined ? {} : { reopen: async () => altered(await reopen()) }),
      ...(opened.faults === undefined ? {} : { faults: opened.faults }),
      close: () => opened.close(),
    };
  };

/** A mutant whose second handle looks at a store of its own. */
export const secondHandleElsewhere =
  <T extends object>(): Mutant<T> =>
  (openSound) =>
  async () => {
    const first = await openSound();
    const elsewhere = await openSound();
    return {
      subject: first.subject,
      openSecond: () => Promise.resolve(elsewhere.subject),
      ...(first.reopen === undefined ? {} : { reopen: first.reopen }),
      ...(first.faults === undefined ? {} : { faults: first.faults }),
      close: async () => {
        await first.close();
        await elsewhere.close();
      },
    };
  };
