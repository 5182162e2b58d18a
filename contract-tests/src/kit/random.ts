/** Pseudo-random choices, the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  /** One of `items`, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** `true` with a probability of 1 in `times`. */
  oneIn(times: number): boolean;
}

/** A random seed. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 32);

/** The generator Mulberry32. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new TypeError('`items` is empty');
      return items[below(items.length)] as T;
    },
  };
};
