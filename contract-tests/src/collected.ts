/** All that `items` yields, each mapped before the next one is asked for. */
export const collected = async <T, R>(items: AsyncIterable<T>, map: (item: T) => R): Promise<R[]> => {
  const all: R[] = [];
  for await (const item of items) all.push(map(item));
  return all;
};
