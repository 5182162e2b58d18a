import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import type { BlobStore } from '@palimpsest/core';
import { openGcs } from '@palimpsest/gcs';
import { expect } from 'chai';
import { chunksOf, failingAfter, MIB, noDelays, readAll, timeOutStalledRequests } from './samples.ts';
import { openScriptedGcs, type Fault, type ScriptedGcs } from './scripted-gcs.ts';
import { eventually, rejectionOf } from '../../../test/expectations.ts';

const reset: Fault = { reset: 'before' };
const answerLost: Fault = { reset: 'after' };
const times = (count: number, fault: Fault): readonly Fault[] => Array.from({ length: count }, () => fault);

describe('GcsBlobStore.put', () => {
  let server: ScriptedGcs;
  let store: BlobStore;

  beforeEach(async () => {
    server = await openScriptedGcs();
    store = await openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing: noDelays });
    server.seen.length = 0;
  });
  afterEach(async () => {
    mock.timers.reset();
    await server.close();
  });

  const stored = (key = 'a'): Buffer | undefined => server.bucket.objects.get(key)?.bytes;

  const faults: Readonly<Record<string, readonly Fault[]>> = {
    'the service answers 503 twice': [{ status: 503 }, { status: 503 }],
    'the service answers 429, 408, 500 and 502': [{ status: 429 }, { status: 408 }, { status: 500 }, { status: 502 }],
    'the connection is reset twice': [reset, reset],
    'the answer is lost': [answerLost],
    'the object is stored but the service answers 503': [{ status: 503, isDone: true }],
    'the connection breaks during the upload': [{ resetAfterBytes: 10 }, { resetAfterBytes: 100 }],
  };
  for (const [what, given] of Object.entries(faults)) {
    for (const size of [0, 1000, MIB]) {
      it(`stores a blob of ${size} bytes once and completely when ${what}`, async () => {
        server.fail('insert', ...given);
        const bytes = randomBytes(size);
        expect(await store.put('a', chunksOf(bytes))).to.equal(size);
        expect(stored()?.equals(bytes)).to.equal(true);
        expect(server.bucket.objects.size).to.equal(1);
      });
    }
  }

  it('stores a blob when the first attempt is never answered, and closes its connection', async () => {
    timeOutStalledRequests(server);
    server.fail('insert', 'stall');
    expect(await store.put('a', chunksOf(randomBytes(2 * MIB)))).to.equal(2 * MIB);
    expect(server.count('insert')).to.equal(2);
    await eventually(() => server.countBusy() === 0);
  });

  it('sends a checksum that the service can verify', async () => {
    await store.put('a', chunksOf(Buffer.from('123456789')));
    expect(server.bucket.insertedChecksums).to.deep.equal(['4waSgw==']);
  });

  it('recognises its own object when the retry of a put finds the key in use', async () => {
    server.fail('insert', { status: 503, isDone: true });
    expect(await store.put('a', chunksOf(Buffer.from('mine')))).to.equal(4);
  });

  it('throws TypeError for a key that is in use, also after a retry, and changes nothing', async () => {
    const before = Buffer.from('before');
    server.bucket.addObject('a', before);
    expect(await rejectionOf(store.put('a', chunksOf(Buffer.from('after'))))).to.be.instanceOf(TypeError);
    server.fail('insert', { status: 503 });
    expect(await rejectionOf(store.put('a', chunksOf(Buffer.from('before'))))).to.be.instanceOf(TypeError);
    expect(stored()).to.equal(before);
  });

  for (const [what, fault] of Object.entries({
    'answers 503': { status: 503 },
    'resets connections': reset,
  } as const)) {
    it(`throws SERVICE_UNAVAILABLE after nine attempts when the service always ${what}`, async () => {
      server.fail('insert', ...times(20, fault));
      const error = await rejectionOf(store.put('secret-name', chunksOf(randomBytes(10))));
      expect(error).to.have.property('code', 'SERVICE_UNAVAILABLE');
      expect(error.message).to.not.include('secret-name');
      expect(server.count('insert')).to.equal(9);
      expect(server.bucket.objects.size).to.equal(0);
    });
  }

  it('throws SERVICE_UNAVAILABLE after nine attempts when the service never answers', async () => {
    timeOutStalledRequests(server);
    server.fail('insert', ...times(20, 'stall'));
    expect(await rejectionOf(store.put('a', chunksOf(randomBytes(10))))).to.have.property(
      'code',
      'SERVICE_UNAVAILABLE',
    );
    expect(server.count('insert')).to.equal(9);
  });

  for (const size of [0, 1000, MIB]) {
    it(`throws the error of a source that fails after ${size} bytes, and sends nothing`, async () => {
      const error = new TypeError('the source failed');
      expect(await rejectionOf(store.put('a', failingAfter(randomBytes(size), error)))).to.equal(error);
      expect(server.seen).to.deep.equal([]);
    });
  }

  for (const isEarly of [false, true]) {
    it(`throws the refusal of the service without the name of the blob${isEarly ? ', even if the service has not read the body' : ''}`, async () => {
      const text = '{"error":{"errors":[{"reason":"forbidden"}],"message":"no access to secret-name"}}';
      server.fail('insert', { status: 403, text, isEarly });
      const error = await rejectionOf(store.put('secret-name', chunksOf(randomBytes(3 * MIB))));
      expect(error).to.have.property('status', 403);
      expect(error.message).to.include('forbidden').and.not.include('secret-name');
      expect(server.count('insert')).to.equal(1);
    });
  }

  it('leaves no connection busy after faults', async () => {
    server.fail('insert', { resetAfterBytes: 10 }, reset, answerLost);
    await store.put('a', chunksOf(randomBytes(2 * MIB)));
    expect((await readAll(await store.get('a'))).length).to.equal(2 * MIB);
    await eventually(() => server.countBusy() === 0);
  });
});
