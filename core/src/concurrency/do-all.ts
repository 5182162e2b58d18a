/**
 * Runs all tasks, one after the other, even if some of them fail. Returns all results if all tasks succeed. Otherwise
 * throws the error of the failed task, or an `AggregateError` if several tasks failed.
 */
export const doAll = async <T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const settled: PromiseSettledResult<T>[] = [];
  for (const task of tasks) settled.push(...(await Promise.allSettled([task()])));
  const errors = settled.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason);
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${tasks.length} tasks failed`);
  if (errors.length === 1) throw errors[0];
  return settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
};
