export * from './harness.ts';
export * from './blob-store.contract.ts';
