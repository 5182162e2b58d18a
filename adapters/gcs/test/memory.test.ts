import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describeOnGcs } from '../../../test/services/gcs.ts';
import { freshBucket } from './fresh-bucket.ts';
import { MIB } from './samples.ts';
import { openScriptedGcs } from './scripted-gcs.ts';

interface Measured {
  readonly counts: readonly number[];
  readonly read: readonly number[];
  readonly grownKiB: { readonly puts: number; readonly reads: number };
}

const run = async (apiEndpoint: string, bucket: string, lanes: number, byteSize: number): Promise<Measured> => {
  const args = [apiEndpoint, bucket, `memory-${randomUUID()}`, String(lanes), String(byteSize)];
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@palimpsest/source',
    join(import.meta.dirname, 'putting-process.ts'),
    ...args,
  ]);
  return JSON.parse(stdout) as Measured;
};

const testMemory = (place: () => readonly [apiEndpoint: string, bucket: string]): void => {
  for (const [lanes, byteSize, limitKiB] of [
    [4, 40 * MIB, 80 * 1024],
    [30, 5 * MIB, 30 * 6 * 1024], // as much with 1 MiB each: it is what the pieces take that are under way
  ] as const) {
    it(`does not grow with the size of ${lanes} blobs of ${byteSize / MIB} MiB at once, which arrive whole`, async () => {
      const { counts, read, grownKiB } = await run(...place(), lanes, byteSize);
      expect(counts).to.deep.equal(Array.from({ length: lanes }, () => byteSize));
      expect(read).to.deep.equal(counts);
      expect(grownKiB.puts).to.be.lessThan(limitKiB);
      expect(grownKiB.reads).to.be.lessThan(limitKiB);
    }).timeout(120_000);
  }
};

describe('The memory that GcsBlobStore takes', () => {
  let place: readonly [string, string];
  let close: () => Promise<void>;
  before(async () => {
    const server = await openScriptedGcs();
    place = [server.apiEndpoint, server.bucket.name];
    close = () => server.close();
  });
  after(() => close());
  testMemory(() => place);
});

await describeOnGcs('The memory that GcsBlobStore takes', ({ apiEndpoint }) => {
  const bucket = freshBucket(apiEndpoint);
  testMemory(() => [apiEndpoint, bucket]);
});
