import { openLocalStorage } from '@palimpsest/local-storage';

// Stores blobs in an endless loop, three at the same time. Prints the key of each stored blob.
const [folder = '', name = ''] = process.argv.slice(2);
const store = await openLocalStorage({ folder });

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000);
}

const putAll = async (lane: number): Promise<never> => {
  for (let i = 0; ; i++) {
    const key = `kill/${name}/${lane}/${i}`;
    await store.put(key, slices(Buffer.alloc(300_000, key)));
    process.stdout.write(`${key}\n`);
  }
};

await Promise.all([0, 1, 2].map(putAll));
