import * as node from 'node:fs/promises';
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError, type BlobStore } from '@palimpsest/core';
import { temporaryName } from '@palimpsest/files';
import { openLocalStorage, type FileSystem } from '@palimpsest/local-storage';
import { expect } from 'chai';
import { rejectionOf } from '../../../test/expectations.ts';

async function* bytesOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const readAll = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) all.push(chunk);
  return Buffer.concat(all);
};

const keysIn = async (store: BlobStore): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
};

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** The real file system. Adds each call that is important for durability to `calls`. */
const observed = (calls: string[]): FileSystem => ({
  ...node,
  open: async (path, flags, mode) => {
    const handle = await node.open(path, flags, mode);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      calls.push(`sync ${String(path)}`);
    };
    return handle;
  },
  mkdir: (async (path: string, options: { mode?: number; recursive?: boolean }) => {
    const made = await node.mkdir(path, options);
    calls.push(`mkdir ${path}`);
    return made;
  }) as FileSystem['mkdir'],
  link: async (from, to) => {
    await node.link(from, to);
    calls.push(`link ${String(to)}`);
  },
});

const failing = (
  method: 'open' | 'link' | 'mkdir' | 'readdir' | 'stat',
  code: string,
  when: () => boolean,
): FileSystem => ({
  ...node,
  [method]: async (...args: unknown[]) => {
    if (when()) throw Object.assign(new Error(`${code}: scripted error`), { code });
    return await Reflect.apply(node[method], node, args);
  },
});

describe('LocalBlobStore', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await node.mkdtemp(join(tmpdir(), 'blobs-'));
  });
  afterEach(() => node.rm(folder, { recursive: true }));

  const temporaryFiles = (): Promise<string[]> => node.readdir(join(folder, 'tmp'));
  const files = async (): Promise<string[]> =>
    (await node.readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('syncs the file before it creates the link, and each folder with a new entry before put resolves', async () => {
    const calls: string[] = [];
    const store = await openLocalStorage({ folder: join(folder, 'deep', 'er'), fileSystem: observed(calls) });
    const root = join(folder, 'deep', 'er');
    expect(calls).to.include.members([`sync ${folder}`, `sync ${join(folder, 'deep')}`, `sync ${root}`]);
    calls.length = 0;
    await store.put('a/b', bytesOf(Buffer.from('x')));
    const [syncFile, makeFolder, syncBlobs, link, syncFolder, ...rest] = calls;
    const path = link?.slice('link '.length) ?? '';
    expect(syncFile).to.match(/^sync .*\/tmp\/[^/]+$/);
    expect(makeFolder).to.equal(`mkdir ${dirname(path)}`);
    expect(syncBlobs).to.equal(`sync ${join(root, 'blobs')}`);
    expect(path.startsWith(join(root, 'blobs'))).to.equal(true);
    expect(syncFolder).to.equal(`sync ${dirname(path)}`);
    expect(rest).to.deep.equal([]);
  });

  it('also syncs a folder that exists already, because another process may have created it without a sync', async () => {
    const first = await openLocalStorage({ folder });
    await first.put('same', bytesOf(Buffer.from('x')));
    await first.delete('same');
    const calls: string[] = [];
    const second = await openLocalStorage({ folder, fileSystem: observed(calls) });
    calls.length = 0;
    await second.put('same', bytesOf(Buffer.from('x')));
    expect(calls).to.include(`sync ${join(folder, 'blobs')}`);
  });

  it('creates files and folders that only this user can access, and leaves no temporary file', async () => {
    const store = await openLocalStorage({ folder: join(folder, 'new') });
    await store.put('a', bytesOf(Buffer.from('x')));
    const root = join(folder, 'new');
    const [hash = ''] = await node.readdir(join(root, 'blobs'));
    const [name = ''] = await node.readdir(join(root, 'blobs', hash));
    expect([root, join(root, 'tmp'), join(root, 'blobs'), join(root, 'blobs', hash)].map(modeOf)).to.deep.equal([
      0o700, 0o700, 0o700, 0o700,
    ]);
    expect(modeOf(join(root, 'blobs', hash, name))).to.equal(0o600);
    expect(await node.readdir(join(root, 'tmp'))).to.deep.equal([]);
  });

  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'EIO']) {
    for (const method of ['open', 'link', 'mkdir'] as const) {
      it(`throws SERVICE_UNAVAILABLE and stores nothing when ${method} fails with ${code}`, async () => {
        let broken = false;
        const store = await openLocalStorage({ folder, fileSystem: failing(method, code, () => broken) });
        broken = true;
        const error = await rejectionOf(store.put('a', bytesOf(Buffer.from('x'))));
        expect(error).to.be.instanceOf(AppError).with.property('code', 'SERVICE_UNAVAILABLE');
        expect((error as AppError).cause).to.have.property('code', code);
        broken = false;
        expect(await temporaryFiles()).to.deep.equal([]);
        expect(await files()).to.deep.equal([]);
        expect(await store.put('a', bytesOf(Buffer.from('x')))).to.equal(1);
      });
    }
  }

  it('treats only ENOENT as absence', async () => {
    for (const code of ['EACCES', 'EMFILE', 'EIO', 'ENOTDIR']) {
      let broken = false;
      const store = await openLocalStorage({ folder, fileSystem: failing('open', code, () => broken) });
      broken = true;
      const error = await rejectionOf(store.get('none'));
      expect(error).to.have.property('code', code === 'EMFILE' || code === 'EIO' ? 'SERVICE_UNAVAILABLE' : code);
    }
  });

  it('stores nothing when the folder cannot be synced', async () => {
    let broken = false;
    const fileSystem: FileSystem = {
      ...node,
      open: async (path, flags, mode) => {
        const handle = await node.open(path, flags, mode);
        if (broken && flags === 'r')
          handle.sync = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
        return handle;
      },
    };
    const store = await openLocalStorage({ folder, fileSystem });
    await store.put('warm', bytesOf());
    broken = true;
    expect(await rejectionOf(store.put('warm/2', bytesOf()))).to.have.property('code', 'SERVICE_UNAVAILABLE');
    expect(await files()).to.have.length(1);
  });

  it('throws SERVICE_UNAVAILABLE from check when no file can be stored, and leaves no temporary file', async () => {
    let broken = false;
    const store = await openLocalStorage({ folder, fileSystem: failing('link', 'EROFS', () => broken) });
    await store.check();
    broken = true;
    expect(await rejectionOf(store.check())).to.have.property('code', 'SERVICE_UNAVAILABLE');
    expect(await temporaryFiles()).to.deep.equal([]);
  });

  it('requests the next chunk only after it has written the previous one', async () => {
    let waiting = 0;
    let written = 0;
    const fileSystem: FileSystem = {
      ...node,
      open: async (path, flags, mode) => {
        const handle = await node.open(path, flags, mode);
        const write = handle.writeFile.bind(handle);
        handle.writeFile = async (data, options) => {
          await write(data, options);
          written++;
        };
        return handle;
      },
    };
    const store = await openLocalStorage({ folder, fileSystem });
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 50; i++) {
        waiting = Math.max(waiting, i - written);
        yield new Uint8Array(1000);
      }
    }
    await store.put('a', counted());
    expect(waiting).to.equal(0);
  });

  it('closes its files when readers stop early, finish or fail', async function closes() {
    if (process.platform !== 'linux') return this.skip(); // open files are counted in /proc
    const store = await openLocalStorage({ folder });
    await store.put('a', bytesOf(new Uint8Array(200_000)));
    const before = openFiles();
    for (let i = 0; i < 50; i++) {
      await (await store.get('a'))?.[Symbol.asyncIterator]().return?.();
      for await (const chunk of (await store.get('a')) ?? []) if (chunk.length > 0) break;
      await readAll(await store.get('a'));
      await rejectionOf(store.put('a', bytesOf(new Uint8Array(10))));
    }
    expect(openFiles()).to.equal(before);
  });

  it('throws when a file is shorter than when it was opened', async () => {
    const store = await openLocalStorage({ folder });
    await store.put('a', bytesOf(new Uint8Array(200_000)));
    const reader = await store.get('a');
    await node.truncate((await files())[0] ?? '', 100);
    expect(await rejectionOf(readAll(reader))).to.be.instanceOf(Error);
  });

  it('deletes stale temporary files when it is opened, and keeps recent ones', async () => {
    await openLocalStorage({ folder });
    const [stale, recent] = [temporaryName(), temporaryName()];
    for (const name of [stale, recent]) await node.writeFile(join(folder, 'tmp', name), 'x');
    await node.utimes(join(folder, 'tmp', stale), new Date(), new Date(Date.now() - 3_601_000));
    await openLocalStorage({ folder });
    expect(await temporaryFiles()).to.deep.equal([recent]);
  });

  it('does not list files that are not blobs', async () => {
    const store: BlobStore = await openLocalStorage({ folder });
    await store.put('mine', bytesOf());
    await node.writeFile(join(dirname((await files())[0] ?? ''), '.DS_Store'), 'x');
    await node.writeFile(join(folder, 'blobs', 'stray'), 'x');
    expect(await keysIn(store)).to.deep.equal(['mine']);
  });
});
