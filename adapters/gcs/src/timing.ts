/** How long the store is waited for. */
export interface GcsTiming {
  readonly attemptMs: number; // for one request, or for the next bytes of a download
  readonly totalMs: number; // for all attempts at one request, or since a download last brought something
  readonly checkMs: number; // for all attempts where only a sign of life is wanted, or something is tidied up
  readonly firstDelayMs: number; // before the second attempt; twice as long before each one after it
  readonly maxDelayMs: number;
}

export const defaultTiming: GcsTiming = {
  attemptMs: 15_000,
  totalMs: 45_000,
  checkMs: 5_000,
  firstDelayMs: 250,
  maxDelayMs: 8_000,
};
