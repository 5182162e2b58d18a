const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** What came of `work`, how much work it was (of all threads), and for how long at most nothing else came to its turn. */
export const observed = async <T>(work: () => Promise<T>) => {
  let turns = 0;
  let longestPauseMs = 0;
  let isDone = false;
  const begun = processMs();
  let last = threadMs();
  const countPause = (): void => {
    const now = threadMs();
    longestPauseMs = Math.max(longestPauseMs, now - last);
    last = now;
  };
  const turn = (): void => {
    countPause();
    turns++;
    if (!isDone) setTimeout(turn, 1);
  };
  setTimeout(turn, 1);
  try {
    const result = await work();
    countPause();
    return { result, tookMs: processMs() - begun, turns, longestPauseMs };
  } finally {
    isDone = true;
  }
};
