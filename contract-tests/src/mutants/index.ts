export * from './access-tokens-mutants.ts';
export * from './blob-store-mutants.ts';
export * from './checksums-mutants.ts';
export * from './clock-mutants.ts';
export * from './id-generator-mutants.ts';
export * from './password-hasher-mutants.ts';
export * from './secret-tokens-mutants.ts';
