/** Timeouts and retries of the store. */
export interface GcsTiming {
  readonly attemptTimeoutMs: number; // of one request; starts again when the request makes progress
  readonly retries: number; // after the first attempt at a request
  readonly totalMs: number; // from the first attempt to the start of the last retry, at most
  readonly firstDelayMs: number; // before the first retry; doubled before each further one
  readonly maxDelayMs: number;
}

export const defaultTiming: GcsTiming = {
  attemptTimeoutMs: 15_000,
  retries: 8,
  totalMs: 45_000,
  firstDelayMs: 250,
  maxDelayMs: 8_000,
};

/** The timing of a health check, which answers within about 5 s. */
export const checkTiming = (timing: GcsTiming): GcsTiming => ({
  ...timing,
  attemptTimeoutMs: Math.min(timing.attemptTimeoutMs, 2_500),
  retries: Math.min(timing.retries, 1),
});
