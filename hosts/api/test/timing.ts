const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const timed = async (task: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await task();
  return performance.now() - startedAt;
};

/**
 * Measures two kinds of request in interleaved pairs and returns the difference of their median times, in milliseconds
 * and as a share of the longer one. The first pairs are a warm-up and do not count.
 */
export const medianDifference = async (
  pairs: number,
  pair: (i: number) => readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<{ readonly ms: number; readonly share: number; readonly medians: readonly [number, number] }> => {
  const warmUp = Math.ceil(pairs / 10);
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < pairs; i++) {
    const tasks = pair(i);
    // Each kind goes first in half of the pairs.
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const took = await timed(tasks[which]);
      if (i >= warmUp) times[which].push(took);
    }
  }
  const medians = [median(times[0]), median(times[1])] as const;
  const ms = Math.abs(medians[0] - medians[1]);
  return { ms, share: ms / Math.max(...medians), medians };
};
