const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const timed = async (task: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await task();
  return performance.now() - begun;
};

/** Whether a difference is none that could be told from outside. */
export const isUntold = ({ ms, share }: { readonly ms: number; readonly share: number }): boolean =>
  ms < 10 || share < 0.05;

/** How often a difference is looked for: one that is there shows each time, the noise of a busy machine does not. */
export const ROUNDS = 3;

/**
 * The first of {@link ROUNDS} measurements of `pairs` pairs each that shows no difference, or the last one. `pair` is
 * asked for numbers below `ROUNDS * pairs`, each once.
 */
export const leastDifference = async (
  pairs: number,
  pair: (i: number) => readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<Awaited<ReturnType<typeof medianDifference>>> => {
  for (let round = 0; ; round++) {
    const difference = await medianDifference(pairs, (i) => pair(round * pairs + i));
    if (isUntold(difference) || round === ROUNDS - 1) return difference;
  }
};

/**
 * How far apart two kinds of request are in time: the difference of their medians over interleaved pairs, in
 * milliseconds and as a share of the longer. The first pairs warm up and do not count.
 */
export const medianDifference = async (
  pairs: number,
  pair: (i: number) => readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<{ readonly ms: number; readonly share: number; readonly medians: readonly [number, number] }> => {
  const warmUp = Math.ceil(pairs / 10);
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < pairs; i++) {
    const tasks = pair(i);
    // Each goes first as often as the other.
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const took = await timed(tasks[which]);
      if (i >= warmUp) times[which].push(took);
    }
  }
  const medians = [median(times[0]), median(times[1])] as const;
  const ms = Math.abs(medians[0] - medians[1]);
  return { ms, share: ms / Math.max(...medians), medians };
};
