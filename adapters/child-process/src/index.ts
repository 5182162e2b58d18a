export * from './child-pool.ts';
export * from './serve-requests.ts';
export * from './sibling-module.ts';
