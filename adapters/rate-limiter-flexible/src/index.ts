export { MemoryRateCounters } from './memory-rate-counters.ts';
export { type MongoDatabase, type MongoCollection } from './mongo-rate-counters.ts';
export { openMongoRateCounters, type MongoRateCountersOptions } from './open-mongo-rate-counters.ts';
export { openSqliteRateCounters, type SqliteRateCountersOptions } from './open-sqlite-rate-counters.ts';
export type { FallbackOptions, OpenRateCounters } from './fallback-rate-counters.ts';
export { type SqliteClient, type SqliteStatement } from './sqlite-rate-counters.ts';
