import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import type { BlobStore } from '@palimpsest/core';
import { openGcs } from '@palimpsest/gcs';
import { expect } from 'chai';
import { keysIn, noDelays, readAll, timeOutStalledRequests } from './samples.ts';
import { openScriptedGcs, type Fault, type ScriptedGcs } from './scripted-gcs.ts';
import { eventually, rejectionOf } from '../../../test/expectations.ts';

const PART = 100_000;

const flipped = (at: number): Fault => ({
  change: (answer) => {
    answer.body[at] = (answer.body[at] ?? 0) ^ 1;
    return answer;
  },
});

describe('GcsBlobStore.get', () => {
  const bytes = randomBytes(3 * PART + 17);
  let server: ScriptedGcs;
  let store: BlobStore;

  beforeEach(async () => {
    server = await openScriptedGcs();
    server.bucket.addObject('a', bytes);
    store = await openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing: noDelays });
    server.seen.length = 0;
  });
  afterEach(async () => {
    mock.timers.reset();
    await server.close();
  });

  const ranges = [undefined, { start: 5, end: 2 * PART }, { start: 3 * PART, end: Number.MAX_SAFE_INTEGER }];
  const faultsByName: Readonly<Record<string, readonly Fault[]>> = {
    'the service answers 503 twice': [{ status: 503 }, { status: 503 }],
    'the connection is reset twice': [{ reset: 'before' }, { reset: 'before' }],
    'the first request is never answered': ['stall'],
    'the connection breaks six times': [
      { closeAfterBytes: 0 },
      { closeAfterBytes: 1 },
      { closeAfterBytes: 4096 },
      { closeAfterBytes: 3 },
      { closeAfterBytes: 16 },
      { closeAfterBytes: 2 },
    ],
    'the download stalls in the middle': [{ stallAfterBytes: 16 }],
    'an answer is shorter than the range': [
      {
        change: (answer) => ({
          ...answer,
          headers: { ...answer.headers, 'content-length': 10 },
          body: answer.body.subarray(0, 10),
        }),
      },
    ],
  };
  for (const [what, faults] of Object.entries(faultsByName)) {
    it(`returns the stored bytes when ${what}`, async () => {
      timeOutStalledRequests(server);
      for (const range of ranges) {
        server.fail('media', ...faults);
        const read = await readAll(await store.get('a', range));
        expect(read.equals(bytes.subarray(range?.start, (range?.end ?? bytes.length) + 1))).to.equal(true);
      }
    });
  }

  it('continues a broken download at the same byte of the same generation', async () => {
    const asked: (string | undefined)[] = [];
    const generations = new Set<string | null>();
    server.watch(({ headers, url = '' }) => {
      if (!url.includes('alt=media')) return;
      asked.push(headers.range);
      generations.add(new URL(url, server.apiEndpoint).searchParams.get('generation'));
    });
    server.fail('media', { closeAfterBytes: 1000 });
    await readAll(await store.get('a'));
    expect(asked).to.deep.equal([undefined, `bytes=1000-${bytes.length - 1}`]);
    expect([...generations]).to.deep.equal([server.bucket.objects.get('a')?.generation]);
  });

  it('throws when the blob is deleted or replaced during a read', async () => {
    for (const instead of [undefined, randomBytes(bytes.length)]) {
      server.bucket.addObject('a', bytes);
      const reader = await store.get('a');
      server.fail('media', {
        closeAfterBytes: 1000,
        beforeAnswer: () => {
          server.bucket.objects.delete('a');
          if (instead) server.bucket.addObject('a', instead);
        },
      });
      expect((await rejectionOf(readAll(reader))).message).to.include('deleted');
    }
  });

  it('throws when the answer has another range, generation or encoding than requested', async () => {
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

  it('returns no more than the range when the answer is longer', async () => {
    server.fail('media', { change: () => ({ status: 200, headers: {}, body: Buffer.from(bytes) }) });
    expect((await readAll(await store.get('a', { start: 0, end: 9 }))).equals(bytes.subarray(0, 10))).to.equal(true);
  });

  for (const at of [0, bytes.length - 1]) {
    it(`throws before the last bytes when byte ${at} is corrupted`, async () => {
      server.fail('media', flipped(at));
      let byteSize = 0;
      const read = async (): Promise<void> => {
        for await (const chunk of (await store.get('a')) ?? []) byteSize += chunk.length;
      };
      expect((await rejectionOf(read())).message).to.include('checksum');
      expect(byteSize).to.be.lessThan(bytes.length);
    });
  }

  for (const [what, fault] of Object.entries({
    'the service always answers 503': { status: 503 },
    'the connection is always reset': { reset: 'before' },
    'the service never answers': 'stall',
    'the connection always breaks before the first byte': { closeAfterBytes: 0 },
  } as const)) {
    it(`throws SERVICE_UNAVAILABLE after nine attempts when ${what}`, async () => {
      timeOutStalledRequests(server);
      server.fail('media', ...Array.from({ length: 20 }, () => fault));
      expect(await rejectionOf(readAll(await store.get('a')))).to.have.property('code', 'SERVICE_UNAVAILABLE');
      expect(server.count('media')).to.equal(9);
    });
  }

  it('requests nothing before the first read, and leaves no connection busy when the reader stops early', async () => {
    await store.get('a');
    expect(server.count('media')).to.equal(0);
    for (let i = 0; i < 3; i++) {
      await (await store.get('a'))?.[Symbol.asyncIterator]().return?.();
      for await (const chunk of (await store.get('a')) ?? []) if (chunk.length > 0) break;
    }
    expect(server.count('media')).to.equal(3);
    await eventually(() => server.countBusy() === 0);
  });

  it('does not disturb other downloads when a reader stops early or a download fails', async () => {
    const others = Array.from({ length: 5 }, async () => await readAll(await store.get('a')));
    for (let i = 0; i < 5; i++) {
      for await (const chunk of (await store.get('a')) ?? []) if (chunk.length > 0) break;
    }
    server.fail('media', { status: 404 });
    await rejectionOf(readAll(await store.get('a')));
    for (const read of await Promise.all(others)) expect(read.equals(bytes)).to.equal(true);
  });

  it('does not time out while the caller pauses between two reads', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let read = 0;
    for await (const chunk of (await store.get('a')) ?? []) {
      if (read === 0) mock.timers.tick(2 * noDelays.attemptTimeoutMs);
      read += chunk.length;
    }
    expect(read).to.equal(bytes.length);
    expect(server.count('media')).to.equal(1);
  });

  it('throws the status of the service without the name of the blob, for each operation', async () => {
    server.bucket.addObject('secret-name', bytes);
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

  it('throws when the bucket is missing, and does not report the blob as absent', async () => {
    server.fail('metadata', { status: 404 });
    server.fail('list', { status: 404 });
    expect((await rejectionOf(store.stat('a'))).message).to.include('no bucket');
  });
});
