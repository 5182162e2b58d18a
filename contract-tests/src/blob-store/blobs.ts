import type { BlobStore } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';

/** Yields the bytes in chunks of `size`. */
export async function* chunksOf(bytes: Uint8Array, size = 40_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Yields a text in UTF-8. */
export const textSource = (text: string): AsyncIterable<Uint8Array> => chunksOf(Buffer.from(text), 3);

/** Reads all chunks; `undefined` for a blob that does not exist. */
export const readAll = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer | undefined> =>
  chunks && Buffer.concat(await collected(chunks, (chunk) => chunk));

/** The text of a blob; `undefined` if it does not exist. */
export const textOf = async (store: BlobStore, key: string): Promise<string | undefined> =>
  (await readAll(await store.get(key)))?.toString();

/** The keys of all blobs, sorted. */
export const keysIn = async (store: BlobStore): Promise<readonly string[]> =>
  (await collected(store.list(), ({ key }) => key)).toSorted();
