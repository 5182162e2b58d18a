import type { Instant, RateCounters } from '@palimpsest/core';

/** Rate counters with their clock. The clock stays at a whole millisecond until `advance` moves it. */
export interface TimedRateCounters {
  readonly counters: RateCounters;
  /** Moves the clock forward. */
  readonly advance: (ms: number) => void | Promise<void>;
  readonly now: () => Instant;
}
