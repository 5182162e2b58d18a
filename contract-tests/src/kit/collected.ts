/** Collects all items, mapping each before the next one is requested. */
export const collected = async <T, R>(items: AsyncIterable<T>, map: (item: T) => R): Promise<R[]> => {
  const all: R[] = [];
  for await (const item of items) all.push(map(item));
  return all;
};

/** Yields 20 chunks of 10,000 bytes with the values 1 to 20, all in one buffer that is overwritten each time. */
export async function* chunksInOneBuffer(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(10_000);
  for (let i = 1; i <= 20; i++) {
    buffer.fill(i);
    yield buffer;
  }
  buffer.fill(255);
}
