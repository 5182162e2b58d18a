/** Resolves when `condition` holds. The limit is far above what a busy machine needs. */
export const until = async (condition: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> => {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
};
