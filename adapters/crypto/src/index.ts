export * from './argon2id-password-hasher.ts';
export * from './jwt-access-tokens.ts';
export * from './load-or-create-secret.ts';
export * from './node-checksums.ts';
export { argon2id, scrypt, scryptAt, type PasswordScheme } from './password-schemes.ts';
export * from './random-secret-tokens.ts';
export * from './system-clock.ts';
export * from './system-timer.ts';
export * from './uuid-v7-ids.ts';
