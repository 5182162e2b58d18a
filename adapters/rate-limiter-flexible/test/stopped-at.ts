/** The time at which tests stop the clock: in the future, so that a MongoDB server deletes no window during a test. */
export const STOPPED_AT_MS = 4_102_444_800_123;
