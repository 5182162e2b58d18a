import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasswordHasher } from '@palimpsest/core';
import { BoundedQueue } from './bounded-queue.ts';
import { argon2id, scrypt, type PasswordScheme } from './password-schemes.ts';

/** How much hashing may go on; each Argon2id hash takes 19 MiB and about 30 ms of a core. */
export interface PasswordHasherOptions {
  readonly maxRunning?: number; // default 2, so that two of the four threads of libuv stay free for files
  readonly maxWaiting?: number; // default 100
  readonly scheme?: PasswordScheme; // of new hashes; default Argon2id, or scrypt where Node was built without it
}

const SALT_BYTES = 16;

/**
 * Hashes passwords with Argon2id. Hashes of each known scheme are verified, by their prefix; a stored hash of none of
 * them is a `TypeError`. Both methods throw `SERVICE_UNAVAILABLE` when too many others wait.
 */
export class Argon2idPasswordHasher implements PasswordHasher {
  readonly #scheme: PasswordScheme;
  readonly #queue: BoundedQueue;

  constructor({ maxRunning = 2, maxWaiting = 100, scheme }: PasswordHasherOptions = {}) {
    this.#scheme = scheme ?? (argon2id.isAvailable ? argon2id : scrypt);
    this.#queue = new BoundedQueue(maxRunning, maxWaiting);
  }

  async hash(password: string): Promise<string> {
    return await this.#queue.run(() => this.#scheme.hash(password, randomBytes(SALT_BYTES)));
  }

  async verify(password: string, hash: string | undefined): Promise<boolean> {
    if (hash === undefined) {
      await this.hash(password);
      return false;
    }
    const scheme = [argon2id, scrypt].find(({ prefix }) => hash.startsWith(prefix));
    if (!scheme) throw new TypeError('A stored password hash is of an unknown scheme');
    const offered = Buffer.from(await this.#queue.run(() => scheme.rehash(password, hash)));
    const stored = Buffer.from(hash);
    return offered.length === stored.length && timingSafeEqual(offered, stored);
  }
}
