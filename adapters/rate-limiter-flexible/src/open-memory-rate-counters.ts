import type { Clock, RateCounters } from '@palimpsest/core';
import { MemoryLimiter } from './memory-limiter.ts';
import { RateLimiterFlexibleCounters } from './rate-limiter-flexible-counters.ts';

/** Rate counters in the memory of this process alone: for a service of one process that may forget at its end. */
export const openMemoryRateCounters = (clock?: Clock): RateCounters =>
  new RateLimiterFlexibleCounters(new MemoryLimiter(), clock);
