import { join } from 'node:path';
import type { BlobInfo, BlobStore, ByteRange } from '@palimpsest/core';
import { hasErrorCode, removeStaleFiles, syncFolder, temporaryName, unlessAbsent } from '@palimpsest/files';
import { blobPath, keyOfName } from './blob-path.ts';
import { translated } from './errors.ts';
import { FileReader } from './file-reader.ts';
import { makeFolder, type FileSystem } from './file-system.ts';

const CLEANUP_EVERY_MS = 3_600_000;

/**
 * Keeps blobs as files. A file is written to `temporaryFolder` first, and then linked into one of 256 folders in
 * `blobFolder`. Both must be on one file system that supports hard links. Any number of processes may use the same
 * folders. Throws `SERVICE_UNAVAILABLE` if the disk is full, read-only or broken, or too many files are open.
 */
export class LocalBlobStore implements BlobStore {
  readonly #blobFolder: string;
  readonly #temporaryFolder: string;
  readonly #files: FileSystem;
  readonly #durableFolders = new Set<string>();
  #cleanedUpAtMs = performance.now();

  constructor(blobFolder: string, temporaryFolder: string, files: FileSystem) {
    this.#blobFolder = blobFolder;
    this.#temporaryFolder = temporaryFolder;
    this.#files = files;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const [folder, name] = blobPath(key);
    await translated(this.#cleanUpWhenDue());
    const temporary = join(this.#temporaryFolder, temporaryName());
    try {
      const byteSize = await this.#write(temporary, source);
      await translated(this.#link(temporary, join(this.#blobFolder, folder), name));
      return byteSize;
    } finally {
      // An error of `unlink` must not hide an earlier error. A later cleanup deletes a file that remains.
      await Promise.allSettled([this.#files.unlink(temporary)]);
    }
  }

  async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = join(this.#blobFolder, ...blobPath(key));
    const { start, end } = range ?? { start: 0, end: Number.MAX_SAFE_INTEGER - 1 };
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
      throw new TypeError(`Not a range of bytes: ${start} to ${end}`);
    }
    const handle = await translated(unlessAbsent(this.#files.open(path, 'r')));
    if (!handle) return undefined;
    try {
      const { size } = await translated(handle.stat());
      return new FileReader(handle, start, Math.min(end + 1, size));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    return await this.#info(key, join(this.#blobFolder, ...blobPath(key)));
  }

  async delete(key: string): Promise<void> {
    const [folder, name] = blobPath(key);
    const path = join(this.#blobFolder, folder);
    const removed = await translated(unlessAbsent(this.#files.unlink(join(path, name)).then(() => true)));
    if (removed) await translated(syncFolder(path, this.#files));
  }

  async *list(): AsyncGenerator<BlobInfo> {
    for (const folder of await translated(this.#files.readdir(this.#blobFolder, { withFileTypes: true }))) {
      if (!folder.isDirectory()) continue;
      const path = join(this.#blobFolder, folder.name);
      for (const name of await translated(this.#files.readdir(path))) {
        const key = keyOfName(name);
        const info = key === undefined ? undefined : await this.#info(key, join(path, name));
        if (info) yield info;
      }
    }
  }

  /** Writes and links a test file durably, as `put` does, and deletes it. */
  async check(): Promise<void> {
    const probe = join(this.#temporaryFolder, temporaryName());
    const link = join(this.#temporaryFolder, temporaryName());
    try {
      const handle = await translated(this.#files.open(probe, 'wx', 0o600));
      try {
        await translated(handle.writeFile(new Uint8Array(4096)));
        await translated(handle.sync());
      } finally {
        await handle.close();
      }
      await translated(this.#files.link(probe, link));
    } finally {
      await Promise.allSettled([this.#files.unlink(probe), this.#files.unlink(link)]);
    }
  }

  /** Writes each chunk before it requests the next one. Throws errors of `source` unchanged. */
  async #write(temporary: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const handle = await translated(this.#files.open(temporary, 'wx', 0o600));
    try {
      let byteSize = 0;
      for await (const chunk of source) {
        await translated(handle.writeFile(chunk));
        byteSize += chunk.length;
      }
      await translated(handle.sync());
      return byteSize;
    } finally {
      await handle.close();
    }
  }

  /** Links a durable file to its path durably. The path must be free: unlike a rename, a link never overwrites. */
  async #link(temporary: string, folder: string, name: string): Promise<void> {
    await this.#makeDurableFolder(folder);
    const path = join(folder, name);
    try {
      await this.#files.link(temporary, path);
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST'))
        throw new TypeError('A blob with this key is stored already', { cause: error });
      throw error;
    }
    try {
      await syncFolder(folder, this.#files);
    } catch (error) {
      await Promise.allSettled([this.#files.unlink(path)]); // the link may not be durable, so the blob is not stored
      throw error;
    }
  }

  /** Also syncs an existing folder, because the process that created it may not have synced it yet. */
  async #makeDurableFolder(folder: string): Promise<void> {
    if (this.#durableFolders.has(folder)) return;
    await makeFolder(this.#files, folder);
    await syncFolder(this.#blobFolder, this.#files);
    this.#durableFolders.add(folder);
  }

  async #info(key: string, path: string): Promise<BlobInfo | undefined> {
    const info = await translated(unlessAbsent(this.#files.stat(path, { bigint: true })));
    return info?.isFile() ? { key, byteSize: Number(info.size), storedAt: Number(info.mtimeNs / 1000n) } : undefined;
  }

  async #cleanUpWhenDue(): Promise<void> {
    if (performance.now() - this.#cleanedUpAtMs < CLEANUP_EVERY_MS) return;
    this.#cleanedUpAtMs = performance.now();
    await removeStaleFiles(this.#temporaryFolder, this.#files);
  }
}
