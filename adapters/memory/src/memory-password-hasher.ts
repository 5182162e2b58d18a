import { createHash, randomBytes } from 'node:crypto';
import type { PasswordHasher } from '@palimpsest/core';

const digest = (salt: string, password: string): string =>
  createHash('sha256').update(`${salt}:`).update(password).digest('hex');

/**
 * Hashes passwords with salted SHA-256. It is fast and therefore not safe: use it only in tests. A hash has the form
 * `$memory-sha256$salt$digest`; salt and digest are hexadecimal.
 */
export class MemoryPasswordHasher implements PasswordHasher {
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16).toString('hex');
    return `$memory-sha256$${salt}$${digest(salt, password)}`;
  }

  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, algorithm, salt = '', expected] = (hash ?? '$none$$').split('$');
    return digest(salt, password) === expected && algorithm === 'memory-sha256';
  }
}
