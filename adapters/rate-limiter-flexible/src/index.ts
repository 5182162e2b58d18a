export { MemoryLimiter } from './memory-limiter.ts';
export { MongoLimiter, type MongoLimiterClient, type MongoLimiterCollection } from './mongo-limiter.ts';
export { openMemoryRateCounters } from './open-memory-rate-counters.ts';
export {
  openMongoRateCounters,
  type MongoRateCounters,
  type MongoRateCountersOptions,
} from './open-mongo-rate-counters.ts';
export {
  openSqliteRateCounters,
  type SqliteRateCounters,
  type SqliteRateCountersOptions,
} from './open-sqlite-rate-counters.ts';
export { RateLimiterFlexibleCounters, type WindowLimiter } from './rate-limiter-flexible-counters.ts';
export { SqliteLimiter, type SqliteClient, type SqliteStatement } from './sqlite-limiter.ts';
export { WindowRes } from './window-res.ts';
