/** Wrong passwords that cost nothing but themselves. */
export const FREE_FAILURES = 3;

/** For how long failures are remembered. */
export const FAILURE_MEMORY_MS = 24 * 3_600_000;

const FIRST_BLOCK_MS = 15_000;
export const LONGEST_BLOCK_MS = 300_000;

/**
 * For how long no attempt is let through after the last of `failures` wrong passwords in a row: 0 for the first two, then
 * 15 s, 30 s, 60 s, 120 s, 240 s, and 300 s ever after.
 */
export const passwordBlockMs = (failures: number): number =>
  failures < FREE_FAILURES
    ? 0
    : Math.min(FIRST_BLOCK_MS * 2 ** Math.min(failures - FREE_FAILURES, 10), LONGEST_BLOCK_MS);
