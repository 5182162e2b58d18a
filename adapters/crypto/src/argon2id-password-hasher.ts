import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError, FairSemaphore, type PasswordHasher } from '@palimpsest/core';
import { argon2id, scrypt, type PasswordScheme } from './password-schemes.ts';

/** Limits of concurrent hashing. One Argon2id hash takes 19 MiB and about 30 ms of one core. */
export interface PasswordHasherOptions {
  readonly maxRunning?: number; // default 2, so that two of the four libuv threads stay free for file operations
  readonly maxWaiting?: number; // default 100
  readonly scheme?: PasswordScheme; // of new hashes; default Argon2id, or scrypt if this build of Node lacks it
}

const SALT_BYTES = 16;
const OWNER = 'all'; // callers are anonymous, so all share one queue

/**
 * Hashes passwords with Argon2id. Verifies hashes of both schemes, which it recognises by their prefix. Throws
 * `TypeError` for a stored hash of any other scheme, and `SERVICE_UNAVAILABLE` if too many callers wait.
 */
export class Argon2idPasswordHasher implements PasswordHasher {
  readonly #scheme: PasswordScheme;
  readonly #semaphore: FairSemaphore;

  constructor({ maxRunning = 2, maxWaiting = 100, scheme }: PasswordHasherOptions = {}) {
    this.#scheme = scheme ?? (argon2id.isAvailable ? argon2id : scrypt);
    this.#semaphore = new FairSemaphore(
      { slots: maxRunning, maxWaiting },
      () =>
        new AppError(
          'SERVICE_UNAVAILABLE',
          'Too many people are signing in at the moment. Try again in a few seconds.',
        ),
    );
  }

  async hash(password: string): Promise<string> {
    return await this.#semaphore.run(OWNER, () => this.#scheme.hash(password, randomBytes(SALT_BYTES)));
  }

  async verify(password: string, hash: string | undefined): Promise<boolean> {
    if (hash === undefined) {
      await this.hash(password);
      return false;
    }
    const scheme = [argon2id, scrypt].find(({ prefix }) => hash.startsWith(prefix));
    if (!scheme) throw new TypeError('A stored password hash has an unknown scheme');
    const offered = Buffer.from(await this.#semaphore.run(OWNER, () => scheme.rehash(password, hash)));
    const stored = Buffer.from(hash);
    return offered.length === stored.length && timingSafeEqual(offered, stored);
  }
}
