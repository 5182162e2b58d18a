import { randomBytes } from 'node:crypto';
import type { BlobStore } from '@palimpsest/core';
import { openGcs } from '@palimpsest/gcs';
import { expect } from 'chai';
import { brisk, impatient, keysIn, MIB, readAll, rejectionOf, until } from './samples.ts';
import { openScriptedGcs, type Fault, type ScriptedGcs } from './scripted-gcs.ts';

const flipped = (at: number): Fault => ({
  change: (answer) => {
    answer.body[at] = (answer.body[at] ?? 0) ^ 1;
    return answer;
  },
});

describe('What is read from GCS on a way that breaks', () => {
  const bytes = randomBytes(3 * MIB + 17);
  let server: ScriptedGcs;
  let store: BlobStore;

  beforeEach(async () => {
    server = await openScriptedGcs();
    server.bucket.place('a', bytes);
    store = await openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing: brisk });
    server.seen.length = 0;
  });
  afterEach(() => server.close());

  const ranges = [undefined, { start: 5, end: 2 * MIB }, { start: 3 * MIB, end: Number.MAX_SAFE_INTEGER }];
  const survived: Readonly<Record<string, readonly Fault[]>> = {
    'answered 503 twice': [{ status: 503 }, { status: 503 }],
    'reset twice': [{ reset: 'before' }, { reset: 'before' }],
    'not answered': ['stall'],
    'broken off six times': [
      { giveOnly: 0 },
      { giveOnly: 1 },
      { giveOnly: 4096 },
      { giveOnly: 3 },
      { giveOnly: 16 },
      { giveOnly: 2 },
    ],
    'that stalls in the middle': [{ giveThenStall: 16 }],
    'cut short, and said to be whole': [
      {
        change: (answer) => ({
          ...answer,
          headers: { ...answer.headers, 'content-length': 10 },
          body: answer.body.subarray(0, 10),
        }),
      },
    ],
  };
  for (const [what, faults] of Object.entries(survived)) {
    it(`is what was stored, when a download is ${what}`, async () => {
      for (const range of ranges) {
        server.fail('media', ...faults);
        const read = await readAll(await store.get('a', range));
        expect(read.equals(bytes.subarray(range?.start, (range?.end ?? bytes.length) + 1))).to.equal(true);
      }
    });
  }

  it('is asked for from where it broke, and of the same generation', async () => {
    const asked: (string | undefined)[] = [];
    const generations = new Set<string | null>();
    server.watch(({ headers, url = '' }) => {
      if (!url.includes('alt=media')) return;
      asked.push(headers.range);
      generations.add(new URL(url, server.apiEndpoint).searchParams.get('generation'));
    });
    server.fail('media', { giveOnly: 1000 });
    await readAll(await store.get('a'));
    expect(asked).to.deep.equal([undefined, `bytes=1000-${bytes.length - 1}`]);
    expect([...generations]).to.deep.equal([server.bucket.objects.get('a')?.generation]);
  });

  it('is never of another blob under the same key', async () => {
    for (const instead of [undefined, randomBytes(bytes.length)]) {
      server.bucket.place('a', bytes);
      const reader = await store.get('a');
      server.fail('media', {
        giveOnly: 1000,
        meanwhile: () => {
          server.bucket.objects.delete('a');
          if (instead) server.bucket.place('a', instead);
        },
      });
      expect((await rejectionOf(readAll(reader))).message).to.include('removed');
    }
  });

  it('is refused when the answer is another part or another generation than was asked for', async () => {
    for (const headers of [
      { 'content-range': `bytes 6-10/${bytes.length}` },
      { 'x-goog-generation': '1' },
      { 'content-encoding': 'gzip' },
    ]) {
      server.fail('media', { change: (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } }) });
      expect((await rejectionOf(readAll(await store.get('a', { start: 5, end: 10 })))).message).to.include(
        'other bytes',
      );
    }
    server.fail('media', {
      change: () => ({ status: 200, headers: { 'content-length': bytes.length }, body: Buffer.from(bytes) }),
    });
    expect((await rejectionOf(readAll(await store.get('a', { start: 5, end: 10 })))).message).to.include('other bytes');
  });

  it('is no longer than the range, even if the answer is', async () => {
    server.fail('media', { change: () => ({ status: 200, headers: {}, body: Buffer.from(bytes) }) });
    expect((await readAll(await store.get('a', { start: 0, end: 9 }))).equals(bytes.subarray(0, 10))).to.equal(true);
  });

  for (const at of [0, bytes.length - 1]) {
    it(`is not given to its end when byte ${at} is another one`, async () => {
      server.fail('media', flipped(at));
      let given = 0;
      const read = async (): Promise<void> => {
        for await (const chunk of (await store.get('a')) ?? []) given += chunk.length;
      };
      expect((await rejectionOf(read())).message).to.include('checksum');
      expect(given).to.be.lessThan(bytes.length);
    });
  }

  for (const fault of [{ status: 503 }, { reset: 'before' }, 'stall', { giveOnly: 0 }] as const) {
    it(`is given up with SERVICE_UNAVAILABLE in time: ${JSON.stringify(fault)}`, async () => {
      store = await openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing: impatient });
      server.fail('media', ...Array.from({ length: 1000 }, () => fault));
      const begin = performance.now();
      expect(await rejectionOf(readAll(await store.get('a')))).to.have.property('code', 'SERVICE_UNAVAILABLE');
      expect(performance.now() - begin).to.be.lessThan(20_000);
    });
  }

  it('is not asked for before its reader asks, and not beyond what it takes', async () => {
    await store.get('a');
    expect(server.count('media')).to.equal(0);
    for (let i = 0; i < 10; i++) {
      await (await store.get('a'))?.[Symbol.asyncIterator]().return?.();
      for await (const chunk of (await store.get('a')) ?? []) if (chunk.length > 0) break;
    }
    expect(server.count('media')).to.equal(10);
    await until(() => server.countBusy() === 0);
  });

  it('breaks no other download when a reader stops early or a download fails', async () => {
    const others = Array.from({ length: 5 }, async () => await readAll(await store.get('a')));
    for (let i = 0; i < 5; i++) {
      for await (const chunk of (await store.get('a')) ?? []) if (chunk.length > 0) break;
    }
    server.fail('media', { status: 404 });
    await rejectionOf(readAll(await store.get('a')));
    for (const read of await Promise.all(others)) expect(read.equals(bytes)).to.equal(true);
  });

  it('waits for a reader that takes its time', async () => {
    let read = 0;
    for await (const chunk of (await store.get('a')) ?? []) {
      if (read === 0) await new Promise((resolve) => setTimeout(resolve, 1.5 * (brisk.attemptMs ?? 0)));
      read += chunk.length;
    }
    expect(read).to.equal(bytes.length);
    expect(server.count('media')).to.equal(1);
  });

  it('is refused with the status that the service gave, and without the name of the blob', async () => {
    server.bucket.place('secret-name', bytes);
    const text = '{"error":{"errors":[{"reason":"forbidden"}],"message":"secret-name"}}';
    for (const operation of ['metadata', 'media', 'list', 'delete'] as const) {
      server.fail(operation, { status: 403, text });
      const work = {
        metadata: () => store.stat('secret-name'),
        media: async () => await readAll(await store.get('secret-name')),
        list: async () => await keysIn(store),
        delete: () => store.delete('secret-name'),
      }[operation];
      const error = await rejectionOf(work());
      expect(error).to.have.property('status', 403);
      expect(error.message).to.not.include('secret-name');
    }
  });

  it('is not taken for absent when the bucket is gone', async () => {
    server.fail('metadata', { status: 404 });
    server.fail('list', { status: 404 });
    expect((await rejectionOf(store.stat('a'))).message).to.include('no bucket');
  });
});
