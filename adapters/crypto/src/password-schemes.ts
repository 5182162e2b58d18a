import * as crypto from 'node:crypto';
import { promisify } from 'node:util';

/** A password hashing scheme. Its hashes are strings in the PHC format, which contain the costs. */
export interface PasswordScheme {
  readonly prefix: string;
  readonly isAvailable: boolean;
  /** Returns a string with the costs, the salt (16 bytes) and the hash. */
  hash(password: string, salt: Uint8Array): Promise<string>;
  /** Hashes `password` with the costs and the salt of `stored`. Throws `TypeError` if `stored` is malformed. */
  rehash(password: string, stored: string): Promise<string>;
}

const HASH_BYTES = 32;

// The PHC format uses base64 without padding.
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

const groups = (pattern: RegExp, stored: string): readonly string[] => {
  const match = pattern.exec(stored);
  if (!match) throw new TypeError('A stored password hash is malformed');
  return match.slice(1);
};

const ARGON2ID =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,2}),p=([0-9]{1,2})\$([A-Za-z0-9+/]{11,86})\$[A-Za-z0-9+/]{43}$/;

const deriveArgon2id = async (
  password: string,
  nonce: Uint8Array,
  memory: number,
  passes: number,
  parallelism: number,
) => {
  const message = Buffer.from(password, 'utf8');
  const cost = { memory, passes, parallelism, tagLength: HASH_BYTES };
  const tag = await promisify(crypto.argon2)('argon2id', { message, nonce, ...cost });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`;
};

/** Argon2id (RFC 9106) with the costs of the OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
export const argon2id: PasswordScheme = {
  prefix: '$argon2id$',
  isAvailable: typeof crypto.argon2 === 'function', // since Node 24.7, and not in every build
  hash: (password, salt) => deriveArgon2id(password, salt, 19_456, 2, 1),
  rehash: async (password, stored) => {
    const [memory, passes, parallelism, salt = ''] = groups(ARGON2ID, stored);
    return await deriveArgon2id(
      password,
      Buffer.from(salt, 'base64'),
      Number(memory),
      Number(passes),
      Number(parallelism),
    );
  },
};

const SCRYPT =
  /^\$scrypt-sha512\$ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})\$([A-Za-z0-9+/]{11,86})\$[A-Za-z0-9+/]{43}$/;

const deriveScrypt = async (password: string, salt: Uint8Array, ln: number, r: number, p: number): Promise<string> => {
  // scrypt uses HMAC, which pads a short key with NULs: without this hash, `x` and `x\0` would be the same password.
  const message = crypto.createHash('sha512').update(password, 'utf8').digest();
  const cost = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) };
  const key = await new Promise<Uint8Array>((resolve, reject) => {
    crypto.scrypt(message, salt, HASH_BYTES, cost, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
  return `$scrypt-sha512$ln=${ln},r=${r},p=${p}$${encode(salt)}$${encode(key)}`;
};

/** scrypt (RFC 7914) over the SHA-512 of the password, with N = 2^`ln`, r = 8, p = 1. */
export const scryptAt = (ln: number): PasswordScheme => ({
  prefix: '$scrypt-sha512$',
  isAvailable: true,
  hash: (password, salt) => deriveScrypt(password, salt, ln, 8, 1),
  rehash: async (password, stored) => {
    const [ln, r, p, salt = ''] = groups(SCRYPT, stored);
    return await deriveScrypt(password, Buffer.from(salt, 'base64'), Number(ln), Number(r), Number(p));
  },
});

/** scrypt with the costs that OWASP recommends if Argon2id is missing: N = 2^17, which takes 128 MiB. */
export const scrypt: PasswordScheme = scryptAt(17);
