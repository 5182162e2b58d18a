import { randomBytes } from 'node:crypto';
import type { BlobStore } from '@palimpsest/core';
import { openGcs, type GcsTiming } from '@palimpsest/gcs';
import { expect } from 'chai';
import {
  breakingAfter,
  brisk,
  chunksOf,
  impatient,
  impatientChecks,
  MIB,
  readAll,
  rejectionOf,
  until,
} from './samples.ts';
import type { Operation } from './scripted-bucket.ts';
import { openScriptedGcs, type Fault, type ScriptedGcs } from './scripted-gcs.ts';

const reset: Fault = { reset: 'before' };
const answerLost: Fault = { reset: 'after' };

describe('A put to GCS on a way that breaks', () => {
  let server: ScriptedGcs;
  let store: BlobStore;
  const faults: (readonly [error: unknown, doing: string])[] = [];

  const open = (timing: Partial<GcsTiming>): Promise<BlobStore> => {
    const onFault = (error: unknown, doing: string): number => faults.push([error, doing]);
    return openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing, onFault });
  };

  beforeEach(async () => {
    server = await openScriptedGcs();
    faults.length = 0;
    store = await open(brisk);
    server.seen.length = 0;
  });
  afterEach(() => server.close());

  const stored = (key = 'a'): Buffer | undefined => server.bucket.objects.get(key)?.bytes;

  const survived: Readonly<Record<string, readonly [size: number, Operation, ...Fault[]]>> = {
    'a small one answered 503 twice': [1000, 'insert', { status: 503 }, { status: 503 }],
    'a small one answered 429, 408, 500 and 502': [
      1000,
      'insert',
      { status: 429 },
      { status: 408 },
      { status: 500 },
      { status: 502 },
    ],
    'a small one reset twice': [1000, 'insert', reset, reset],
    'a small one whose answer was lost': [1000, 'insert', answerLost],
    'a small one stored and answered 503': [1000, 'insert', { status: 503, done: true }],
    'a small one that is not answered': [1000, 'insert', 'stall'],
    'an empty one whose answer was lost': [0, 'insert', answerLost],
    'a large one that cannot be begun at first': [3 * MIB, 'start', { status: 503 }, reset, answerLost],
    'a large one answered 503 twice': [3 * MIB, 'chunk', { status: 503 }, { status: 503 }],
    'a large one reset before anything came': [3 * MIB, 'chunk', reset, reset],
    'a large one reset in the middle of a piece': [
      3 * MIB + 1,
      'chunk',
      { takeOnly: 700_000 },
      { takeOnly: 300_000 },
      { takeOnly: 10 },
    ],
    'a large one whose piece came and whose answer did not': [3 * MIB, 'chunk', answerLost, answerLost],
    'a large one whose last answer was lost': [
      2 * MIB,
      'chunk',
      { status: 503 },
      { status: 503 },
      { status: 503 },
      answerLost,
    ],
    'a large one that is not answered': [2 * MIB, 'chunk', 'stall'],
    'a large one of which it is hard to learn what came': [2 * MIB, 'chunk', { takeOnly: 500_000 }],
  };
  for (const [what, [size, operation, ...given]] of Object.entries(survived)) {
    it(`stores once and whole ${what}`, async () => {
      server.fail(operation, ...given);
      if (what.includes('hard to learn')) server.fail('query', { status: 503 }, reset);
      const bytes = randomBytes(size);
      expect(await store.put('a', chunksOf(bytes))).to.equal(size);
      expect(stored()?.equals(bytes)).to.equal(true);
      expect(server.bucket.objects.size).to.equal(1);
      expect(faults).to.deep.equal([]);
    });
  }

  it('sends of a broken piece only what has not come', async () => {
    server.fail('chunk', { takeOnly: 600_000 });
    const ranges: (string | undefined)[] = [];
    server.watch((request) => ranges.push(request.headers['content-range']));
    await store.put('a', chunksOf(randomBytes(2 * MIB)));
    expect(ranges).to.deep.equal([
      undefined,
      `bytes 0-1048575/*`,
      'bytes */*',
      'bytes 524288-1048575/*',
      'bytes 1048576-2097151/2097152',
    ]);
  });

  it('sends a length with each request that has a body or could have one', async () => {
    server.fail('chunk', reset);
    const lengths: (string | undefined)[] = [];
    server.watch(({ headers }) => lengths.push(headers['content-length'] ?? headers['transfer-encoding']));
    await store.put('a', chunksOf(randomBytes(2 * MIB)));
    await store.put('b', chunksOf(randomBytes(0)));
    expect(lengths).to.not.include(undefined);
  });

  it('knows its own object where a lost answer made it look taken, and another’s where it is', async () => {
    server.fail('insert', { status: 503, done: true });
    expect(await store.put('a', chunksOf(Buffer.from('mine')))).to.equal(4);
    server.bucket.place('b', Buffer.from('mine'));
    server.fail('insert', { status: 503 });
    expect(await rejectionOf(store.put('b', chunksOf(Buffer.from('mine'))))).to.be.instanceOf(TypeError);
  });

  it('refuses a taken key for a large blob before and after it was sent, and leaves no session', async () => {
    const before = Buffer.from('before');
    server.bucket.place('a', before);
    server.fail('start', { status: 412 });
    expect(await rejectionOf(store.put('a', chunksOf(randomBytes(2 * MIB))))).to.be.instanceOf(TypeError);
    expect(await rejectionOf(store.put('a', chunksOf(randomBytes(2 * MIB))))).to.be.instanceOf(TypeError);
    expect(stored()).to.equal(before);
    expect(server.bucket.sessions.size).to.equal(0);
  });

  for (const [what, operation, given] of [
    ['a small one', 'insert', { status: 503 }],
    ['a small one that is never answered', 'insert', 'stall'],
    ['a large one that cannot be begun', 'start', reset],
    ['a large one', 'chunk', reset],
    ['a large one that is never answered', 'chunk', 'stall'],
  ] as const) {
    it(`gives up with SERVICE_UNAVAILABLE in time: ${what}`, async () => {
      store = await open(impatient);
      server.fail(operation, ...Array.from({ length: 100 }, () => given));
      server.fail('query', ...Array.from({ length: 100 }, () => given));
      const begin = performance.now();
      const error = await rejectionOf(
        store.put('secret-name', chunksOf(randomBytes(operation === 'insert' ? 10 : 2 * MIB))),
      );
      expect(error).to.have.property('code', 'SERVICE_UNAVAILABLE');
      expect(error.message).to.not.include('secret-name');
      expect(performance.now() - begin).to.be.lessThan(20_000);
      expect(server.bucket.objects.size).to.equal(0);
      expect(server.bucket.sessions.size).to.equal(0);
    });
  }

  it('gives up a session that the service has forgotten', async () => {
    server.fail('chunk', { status: 410 });
    expect(await rejectionOf(store.put('a', chunksOf(randomBytes(2 * MIB))))).to.have.property(
      'code',
      'SERVICE_UNAVAILABLE',
    );
    expect(server.bucket.objects.size).to.equal(0);
  });

  it('tells of a session that could not be cancelled, and throws the error of the source all the same', async () => {
    const fault = new Error('the source broke');
    store = await open(impatientChecks);
    server.fail('cancel', ...Array.from({ length: 100 }, () => reset));
    expect(await rejectionOf(store.put('a', breakingAfter(randomBytes(2 * MIB), fault)))).to.equal(fault);
    expect(faults.map(([, doing]) => doing)).to.deep.equal(['cancel an upload']);
  });

  for (const size of [0, 1000, MIB, MIB + 1, 3 * MIB]) {
    it(`leaves nothing of a source that breaks after ${size} bytes`, async () => {
      const fault = new TypeError('the source broke');
      expect(await rejectionOf(store.put('a', breakingAfter(randomBytes(size), fault)))).to.equal(fault);
      expect(server.bucket.objects.size).to.equal(0);
      expect(server.bucket.sessions.size).to.equal(0);
      expect(server.count('cancel')).to.equal(size > MIB ? 1 : 0);
      expect(faults).to.deep.equal([]);
    });
  }

  it('lets its source end when the store refuses, and never asks it again', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield randomBytes(MIB);
      } finally {
        ended = true;
      }
    }
    server.fail('chunk', {
      status: 403,
      text: '{"error":{"errors":[{"reason":"forbidden"}],"message":"no access to secret-name"}}',
    });
    const error = await rejectionOf(store.put('secret-name', endless()));
    expect(error).to.have.property('status', 403);
    expect(error.message).to.include('forbidden').and.not.include('secret-name');
    expect(ended).to.equal(true);
    expect(server.bucket.sessions.size).to.equal(0);
  });

  for (const size of [1000, 2 * MIB]) {
    it(`removes an object of ${size} bytes that is not what was sent, and nothing else`, async () => {
      const spoilt: Fault = {
        change: (answer) => ({
          ...answer,
          body: Buffer.from(answer.body.toString().replace(/"crc32c":"[^"]*"/, '"crc32c":"AAAAAA=="')),
        }),
      };
      server.bucket.place('b', Buffer.from('other'));
      if (size > MIB) server.fail('chunk', { change: (answer) => answer }, spoilt);
      else server.fail('insert', spoilt);
      expect(await rejectionOf(store.put('a', chunksOf(randomBytes(size))))).to.have.property(
        'code',
        'SERVICE_UNAVAILABLE',
      );
      expect(Array.from(server.bucket.objects.keys())).to.deep.equal(['b']);
    });
  }

  it('does not remove what came in place of an object that is not what was sent', async () => {
    server.fail('insert', {
      change: (answer, bucket) => {
        bucket.place('a', Buffer.from('of somebody else'));
        return { ...answer, body: Buffer.from(answer.body.toString().replace(/"size":"[^"]*"/, '"size":"1"')) };
      },
    });
    await rejectionOf(store.put('a', chunksOf(randomBytes(1000))));
    expect(stored()?.toString()).to.equal('of somebody else');
  });

  it('leaves no connection open when it is over', async () => {
    server.fail('insert', 'stall');
    server.fail('chunk', { takeOnly: 10 }, 'stall');
    await store.put('a', chunksOf(randomBytes(10)));
    await store.put('b', chunksOf(randomBytes(2 * MIB)));
    await rejectionOf(store.put('c', breakingAfter(randomBytes(2 * MIB), new Error('the source broke'))));
    expect((await readAll(await store.get('a'))).length).to.equal(10);
    await until(() => server.countBusy() === 0);
  });
});
