import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BlobInfo } from '@palimpsest/core';
import { openLocalStorage } from '@palimpsest/local-storage';
import { expect } from 'chai';

const collect = async (blobs: AsyncIterable<BlobInfo>): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of blobs) keys.push(key);
  return keys;
};

describe('LocalBlobStore', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps every acknowledged blob complete, and lists no incomplete one, after its process was killed 20 times', async function kills() {
    this.timeout(600_000);
    const acknowledged = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const child = spawn(
        process.execPath,
        ['--conditions=@palimpsest/source', join(import.meta.dirname, 'putting-process.ts'), folder, `${round}`],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const killAfter = 1 + (round % 7);
      let seen = 0;
      for await (const key of createInterface(child.stdout)) {
        acknowledged.add(key);
        if (++seen === killAfter) setTimeout(() => child.kill('SIGKILL'), (round * 3) % 11); // at another moment of a put in each round
      }
    }
    const store = await openLocalStorage({ folder });
    const listed = await collect(store.list());
    expect(acknowledged.size).to.be.greaterThan(20);
    expect(listed).to.include.members([...acknowledged]);
    for (const key of listed) {
      const hash = createHash('sha256');
      for await (const chunk of (await store.get(key)) ?? []) hash.update(chunk);
      const expected = createHash('sha256').update(Buffer.alloc(300_000, key)).digest('hex');
      expect(hash.digest('hex'), key).to.equal(expected);
    }
    if (process.platform === 'linux') expect(await readdir(join(folder, 'tmp'))).to.deep.equal([]);
  });
});
