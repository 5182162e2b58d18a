import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobInfo } from '@palimpsest/core';
import { openLocalStorage } from '@palimpsest/local-storage';
import { expect } from 'chai';
import { startChild } from '../../../test/processes/child-process.ts';

const keysOf = async (blobs: AsyncIterable<BlobInfo>): Promise<readonly string[]> => {
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

  it('keeps every acknowledged blob complete and lists no incomplete one after 20 processes were killed during puts', async function kills() {
    this.timeout(600_000);
    const acknowledged = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const child = startChild(new URL('put.child.ts', import.meta.url), folder, `${round}`);
      await child.printed(1 + (round % 7));
      await delay((round * 3) % 11); // each round kills the process at a different point of a put
      await child.kill();
      for (const key of child.lines) acknowledged.add(key);
    }
    const store = await openLocalStorage({ folder });
    const listed = await keysOf(store.list());
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
