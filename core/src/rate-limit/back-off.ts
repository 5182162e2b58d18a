/** The number of wrong passwords in a row that starts the first block. */
export const FAILURES_BEFORE_BLOCK = 3;

/** Failures older than this are not counted. */
export const FAILURE_MEMORY_MS = 24 * 3_600_000;

const FIRST_BLOCK_MS = 15_000;
export const LONGEST_BLOCK_MS = 300_000;

/**
 * How long attempts are blocked after `failures` wrong passwords in a row: 0 for the first two, then 15 s, 30 s, 60 s,
 * 120 s, 240 s, and 300 s from then on.
 */
export const passwordBlockMs = (failures: number): number =>
  failures < FAILURES_BEFORE_BLOCK
    ? 0
    : Math.min(FIRST_BLOCK_MS * 2 ** Math.min(failures - FAILURES_BEFORE_BLOCK, 10), LONGEST_BLOCK_MS);
