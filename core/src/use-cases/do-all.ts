/** Does every task, one after the other, whichever of them throws; then gives all results, or throws the first error. */
export const doAll = async <T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const settled: PromiseSettledResult<T>[] = [];
  for (const task of tasks) settled.push(...(await Promise.allSettled([task()])));
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
};
