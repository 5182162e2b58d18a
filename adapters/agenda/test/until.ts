/** Resolves when `condition` is true. Throws after `ms`, which is far longer than a busy machine needs. */
export const until = async (condition: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> => {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
};
