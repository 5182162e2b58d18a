import { performance } from 'node:perf_hooks';

/** How `work` held up the thread that asks. */
export interface HeldUp {
  readonly longestTurnMs: number; // processor time of this thread, so that a busy machine is not measured
  readonly activeShare: number; // 0..1 of the time that passed, waiting for locks included
}

/** Runs `work` and measures how it holds up everything else. */
export const heldUpBy = async (work: () => Promise<unknown>): Promise<HeldUp> => {
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const state = { longestTurnMs: 0, last: usedMs(), done: false };
  const turn = (): void => {
    const now = usedMs();
    state.longestTurnMs = Math.max(state.longestTurnMs, now - state.last);
    state.last = now;
    // A timer, not `setImmediate`, which would leave the thread no moment without work.
    if (!state.done) setTimeout(turn, 1);
  };
  const before = performance.eventLoopUtilization();
  turn();
  try {
    await work();
  } finally {
    state.done = true;
  }
  turn();
  return { longestTurnMs: state.longestTurnMs, activeShare: performance.eventLoopUtilization(before).utilization };
};
