import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import { Storage, type StorageOptions } from '@google-cloud/storage';
import { openGcs } from '@palimpsest/gcs';
import { expect } from 'chai';
import { GcsBlobStore } from '../src/gcs-blob-store.ts';
import { GcsClient } from '../src/gcs-client.ts';
import { storageClient } from '../src/storage-client.ts';
import { defaultTiming } from '../src/timing.ts';
import { chunksOf, keysIn, MIB, noDelays, readAll, timeOutStalledRequests } from './samples.ts';
import { openScriptedGcs, type ScriptedGcs } from './scripted-gcs.ts';
import { eventually, rejectionOf } from '../../../test/expectations.ts';

type AuthClient = NonNullable<StorageOptions['authClient']>;

/** A request that the client makes through its credentials. */
interface ClientRequest {
  readonly url: string;
  readonly params: Record<string, string>;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly data: object;
}

const ALL = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'];

describe('openGcs', () => {
  let server: ScriptedGcs;
  beforeEach(async () => {
    server = await openScriptedGcs();
  });
  afterEach(async () => {
    mock.timers.reset();
    await server.close();
  });

  const open = (options: Partial<Parameters<typeof openGcs>[0]> = {}) =>
    openGcs({ bucket: server.bucket.name, apiEndpoint: server.apiEndpoint, timing: noDelays, ...options });

  it('opens when the credentials have all permissions, or the server knows no permissions', async () => {
    await open();
    server.bucket.permissions = ALL;
    await open();
  });

  it('throws an error that names the missing permissions', async () => {
    server.bucket.permissions = ALL.slice(2);
    const { message } = await rejectionOf(open());
    expect(message).to.include(`${ALL[0]}, ${ALL[1]} on the bucket ${server.bucket.name}`);
  });

  it('throws an error that names the missing bucket', async () => {
    server.bucket.permissions = ALL;
    expect((await rejectionOf(open({ bucket: 'another' }))).message).to.include('There is no bucket another');
  });

  it('checks with two attempts, throws SERVICE_UNAVAILABLE, and succeeds when the service is back', async () => {
    const store = await open();
    timeOutStalledRequests(server);
    for (const fault of ['stall', { reset: 'before' }, { status: 503 }] as const) {
      server.seen.length = 0;
      server.fail('permissions', ...Array.from({ length: 20 }, () => fault));
      expect(await rejectionOf(store.check())).to.have.property('code', 'SERVICE_UNAVAILABLE');
      expect(server.count('permissions')).to.equal(2);
    }
    server.fail('permissions');
    await store.check();
  });

  it('throws SERVICE_UNAVAILABLE when no server listens', async () => {
    const { apiEndpoint } = server;
    await server.close();
    expect(await rejectionOf(open({ apiEndpoint }))).to.have.property('code', 'SERVICE_UNAVAILABLE');
    server = await openScriptedGcs();
  });

  describe('with any value of STORAGE_EMULATOR_HOST, which the client reads itself', () => {
    const { STORAGE_EMULATOR_HOST: before } = process.env;
    afterEach(() => {
      if (before === undefined) delete process.env['STORAGE_EMULATOR_HOST'];
      else process.env['STORAGE_EMULATOR_HOST'] = before;
    });
    const hosts = ['', '127.0.0.1:1', 'http://127.0.0.1:1'];

    it('uses the configured emulator', async () => {
      for (const host of [...hosts, server.apiEndpoint, server.apiEndpoint.replace('http://', '')]) {
        process.env['STORAGE_EMULATOR_HOST'] = host;
        const store = await open();
        const key = `key-${host.length}`;
        await store.put(key, chunksOf(Buffer.from('text')));
        expect(await store.stat(key), host).to.have.property('byteSize', 4);
      }
    });

    it('uses the service with credentials if no emulator is configured', async () => {
      for (const host of [undefined, ...hosts]) {
        if (host !== undefined) process.env['STORAGE_EMULATOR_HOST'] = host;
        let asked = 0;
        const getRequestHeaders = async () => new Headers({ authorization: `Bearer ${++asked}` });
        const storage = storageClient(undefined, {
          projectId: 'test',
          authClient: Object.assign(Object.create(null) as AuthClient, { getRequestHeaders }),
        });
        expect(storage.apiEndpoint, host).to.equal('https://storage.googleapis.com');
        expect(storage.baseUrl, host).to.equal('https://storage.googleapis.com/storage/v1');
        const { headers } = await new Promise<{ headers?: Record<string, string> }>((resolve, reject) => {
          const onAuthenticated = (error: Error | null, request?: object) =>
            error ? reject(error) : resolve(request ?? {});
          storage.makeAuthenticatedRequest({ uri: storage.baseUrl }, { onAuthenticated });
        });
        expect(new Headers(headers).get('authorization'), host).to.equal('Bearer 1');
      }
    });
  });

  it('throws TypeError for an invalid bucket or prefix', async () => {
    for (const options of [
      { bucket: '../b' },
      { bucket: '' },
      { prefix: 'a//b' },
      { prefix: '..' },
      { prefix: '/a' },
    ]) {
      expect(await rejectionOf(open(options)), JSON.stringify(options)).to.be.instanceOf(TypeError);
    }
  });

  it('throws an error with instructions when there are no credentials', async () => {
    const { GOOGLE_APPLICATION_CREDENTIALS: before } = process.env;
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = '/nowhere/service-account.json';
    try {
      const error = await rejectionOf(openGcs({ bucket: 'some-bucket' }));
      expect(error.message).to.include('GOOGLE_APPLICATION_CREDENTIALS').and.include('STORAGE_EMULATOR_HOST');
      expect(error.message).to.not.include('/nowhere');
      expect(error).to.not.have.property('code', 'SERVICE_UNAVAILABLE');
    } finally {
      if (before === undefined) delete process.env['GOOGLE_APPLICATION_CREDENTIALS'];
      else process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before;
    }
  });

  describe('with a prefix', () => {
    it('lists and deletes only its own blobs, not those of other prefixes or programs', async () => {
      const a = await open({ prefix: 'a' });
      const ab = await open({ prefix: 'ab/' });
      const within = await open({ prefix: 'a/b' });
      const root = await open();
      server.bucket.addObject('a/backup', Buffer.from('of another program'));
      server.bucket.addObject('backup', Buffer.from('of another program'));
      server.bucket.addObject('a/Not a key', Buffer.from('x'), { 'palimpsest-key': 'Not a key' });
      const stores = { a, ab, within, root };
      for (const [name, store] of Object.entries(stores)) await store.put(`of/${name}`, chunksOf(Buffer.from(name)));
      await ab.put('same', chunksOf(Buffer.from('ab')));
      await a.put('same', chunksOf(Buffer.from('a')));
      expect(await keysIn(a)).to.deep.equal(['of/a', 'same']);
      expect(await keysIn(ab)).to.deep.equal(['of/ab', 'same']);
      expect(await keysIn(within)).to.deep.equal(['of/within']);
      expect(await keysIn(root)).to.deep.equal(['of/root']);
      await a.delete('same');
      expect(await a.stat('same')).to.equal(undefined);
      expect((await readAll(await ab.get('same'))).toString()).to.equal('ab');
      expect(await a.get('of/ab')).to.equal(undefined);
      expect(Array.from(server.bucket.objects.keys())).to.include.members([
        'a/of/a',
        'ab/of/ab',
        'a/b/of/within',
        'of/root',
      ]);
    });
  });

  it('returns the time of the service in microseconds', async () => {
    const store = await open();
    server.bucket.addObject('a', Buffer.from('x'));
    expect(await store.stat('a')).to.deep.equal({
      key: 'a',
      byteSize: 1,
      storedAt: Date.parse('2026-11-21T09:30:12.345Z') * 1000 + 678,
    });
    for (const [text, micros] of [
      ['2026-11-21T09:30:12Z', 0],
      ['2026-11-21T09:30:12.5Z', 500_000],
      ['2026-11-21T10:30:12.000001999+01:00', 1],
    ] as const) {
      server.fail('metadata', {
        change: (answer) => ({
          ...answer,
          body: Buffer.from(answer.body.toString().replace(/"timeCreated":"[^"]*"/, `"timeCreated":"${text}"`)),
        }),
      });
      expect((await store.stat('a'))?.storedAt).to.equal(Date.parse('2026-11-21T09:30:12Z') * 1000 + micros);
    }
  });

  it('deletes a blob despite a fault of the first attempt', async () => {
    const store = await open();
    timeOutStalledRequests(server);
    for (const fault of [
      { status: 503 },
      { reset: 'before' },
      { reset: 'after' },
      { status: 503, isDone: true },
      'stall',
    ] as const) {
      server.bucket.addObject('a', Buffer.from('x'));
      server.fail('delete', fault);
      await store.delete('a');
      expect(server.bucket.objects.size).to.equal(0);
    }
  });

  it('lists all pages despite failed requests', async () => {
    const store = await open({ pageSize: 7 });
    const keys = Array.from({ length: 40 }, (_, i) => `many/${i}`).toSorted();
    for (const key of keys) await store.put(key, chunksOf(Buffer.from('x')));
    server.seen.length = 0;
    server.fail('list', { status: 503 }, { reset: 'before' }, { closeAfterBytes: 100 }, { reset: 'after' });
    expect(await keysIn(store)).to.deep.equal(keys);
    expect(server.count('list')).to.equal(4 + 6);
    server.seen.length = 0;
    for await (const { key } of store.list()) if (key) break;
    expect(server.count('list')).to.equal(1);
  });

  it('throws for a listing in an unknown format', async () => {
    const store = await open();
    server.fail('list', {
      change: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') }),
    });
    expect((await rejectionOf(keysIn(store))).message).to.include('unknown format');
  });

  it('leaves no connection busy after each operation stalled once', async () => {
    const store = await open();
    timeOutStalledRequests(server);
    for (const operation of ['insert', 'metadata', 'media', 'list', 'delete', 'permissions'] as const)
      server.fail(operation, 'stall');
    const bytes = randomBytes(MIB);
    await store.put('a', chunksOf(bytes));
    expect((await readAll(await store.get('a'))).equals(bytes)).to.equal(true);
    expect(await keysIn(store)).to.deep.equal(['a']);
    await store.delete('a');
    await store.check();
    await eventually(() => server.countBusy() === 0);
  });

  describe('with credentials', () => {
    let asked = 0;
    beforeEach(() => {
      asked = 0;
    });

    /** A store whose client sends these credentials even to an emulator. */
    const openWith = (getRequestHeaders: () => Promise<Headers>): GcsBlobStore => {
      const request = async ({ url, params, method, headers, data }: ClientRequest) => {
        const all = new Headers(headers);
        for (const [name, value] of await getRequestHeaders()) all.set(name, value);
        const response = await fetch(`${url}?${new URLSearchParams(params).toString()}`, {
          method,
          headers: all,
          body: JSON.stringify(data),
        });
        return { status: response.status, headers: response.headers, data: await response.text() };
      };
      const authClient = Object.assign(Object.create(null) as AuthClient, { getRequestHeaders, request });
      const { apiEndpoint } = server;
      const storage = new Storage({
        apiEndpoint,
        projectId: 'test',
        useAuthWithCustomEndpoint: true,
        authClient,
        retryOptions: { autoRetry: false },
      });
      const client = new GcsClient(storage, server.bucket.name, { ...defaultTiming, ...noDelays });
      return new GcsBlobStore(client, server.bucket.name, '', 10);
    };
    const numbered = (): Promise<Headers> => Promise.resolve(new Headers({ authorization: `Bearer ${++asked}` }));

    it('sends them with each request', async () => {
      const here: (string | undefined)[] = [];
      server.watch(({ headers }) => here.push(headers.authorization));
      const store = openWith(numbered);
      await store.put('a', chunksOf(randomBytes(2 * MIB)));
      await readAll(await store.get('a'));
      expect(here).to.have.length(3); // insert, metadata, media
      expect(here).to.not.include(undefined);
    });

    for (const [what, error, code] of [
      [
        'are not available at the moment',
        Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
        'SERVICE_UNAVAILABLE',
      ],
      [
        'are temporarily refused by their server',
        Object.assign(new Error('unavailable'), { status: 503 }),
        'SERVICE_UNAVAILABLE',
      ],
      [
        'are revoked',
        Object.assign(new Error('invalid_grant'), { status: 400, code: 'invalid_grant' }),
        'invalid_grant',
      ],
    ] as const) {
      it(`throws ${code} when they ${what}`, async () => {
        expect(await rejectionOf(openWith(() => Promise.reject(error)).stat('a'))).to.have.property('code', code);
      });
    }

    it('throws SERVICE_UNAVAILABLE when they never arrive', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const never = (): Promise<never> => {
        setImmediate(() => mock.timers.tick(noDelays.attemptTimeoutMs));
        return new Promise(() => undefined);
      };
      expect(await rejectionOf(openWith(never).stat('a'))).to.have.property('code', 'SERVICE_UNAVAILABLE');
    });
  });
});
