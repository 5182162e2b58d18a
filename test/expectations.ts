// The real timer, also while a test has replaced the global one.
const { setTimeout } = globalThis;

/**
 * Polls `condition` until it returns neither `false` nor `undefined`, and returns its value. Fails after `withinMs`, which
 * is far longer than a busy machine needs.
 */
export const eventually = async <T>(
  condition: () => T | Promise<T>,
  withinMs = 50_000,
): Promise<Exclude<T, false | undefined>> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await condition();
    if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** The error that `work` throws. Fails if it throws nothing. */
export const rejectionOf = async (work: Promise<unknown>): Promise<Error> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new TypeError('The promise was not rejected with an error');
  return error;
};
