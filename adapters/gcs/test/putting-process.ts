import { openGcs } from '@palimpsest/gcs';

// Stores many blobs at once, each made piece by piece, reads them again, and prints how much memory that took at most.
const [apiEndpoint = '', bucket = '', prefix = '', lanes = '', byteSize = ''] = process.argv.slice(2);
const store = await openGcs({ bucket, prefix, apiEndpoint });
const CHUNK_BYTES = 65_536;

async function* made(lane: number): AsyncGenerator<Uint8Array> {
  for (let left = Number(byteSize); left > 0; left -= CHUNK_BYTES)
    yield new Uint8Array(Math.min(left, CHUNK_BYTES)).fill(lane);
}

await store.put('warm', made(0));
const before = process.resourceUsage().maxRSS;
const all = Array.from({ length: Number(lanes) }, (_, lane) => lane);
const counts = await Promise.all(all.map((lane) => store.put(`lane/${lane}`, made(lane))));
const afterPuts = process.resourceUsage().maxRSS;
const read = await Promise.all(
  all.map(async (lane) => {
    let count = 0;
    for await (const chunk of (await store.get(`lane/${lane}`)) ?? [])
      count += chunk.every((byte) => byte === lane) ? chunk.length : NaN;
    return count;
  }),
);
const grownKiB = { puts: afterPuts - before, reads: process.resourceUsage().maxRSS - afterPuts };
process.stdout.write(JSON.stringify({ counts, read, grownKiB }));
