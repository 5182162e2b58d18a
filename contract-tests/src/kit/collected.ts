/** All that `items` yields, each mapped before the next one is asked for. */
export const collected = async <T, R>(items: AsyncIterable<T>, map: (item: T) => R): Promise<R[]> => {
  const all: R[] = [];
  for await (const item of items) all.push(map(item));
  return all;
};

/** Twenty chunks of 10,000 bytes, 1 to 20 each, all in the same memory, which ends up holding something else. */
export async function* chunksInOneBuffer(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(10_000);
  for (let i = 1; i <= 20; i++) {
    buffer.fill(i);
    yield buffer;
  }
  buffer.fill(255);
}
