/** Bounds how much work is done at once in this process. */
export interface TaskLimit {
  /** Runs `task` when a place is free, in the order of the calls; resolves or throws as it does. */
  run<T>(task: () => Promise<T>): Promise<T>;
}
