import type { Clock } from '@palimpsest/core';

/** The wall clock, which `stopClock` controls. */
export const wallClock: Clock = { now: () => Date.now() * 1_000 };
