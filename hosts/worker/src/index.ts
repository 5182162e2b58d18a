export * from './mail-jobs.ts';
export * from './worker.ts';
