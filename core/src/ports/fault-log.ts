/** Receives errors that did not stop the work: the work continued, or will be repeated, but an operator should know. */
export interface FaultLog {
  /** Records an error and what the code was doing, in a few words. Never throws. */
  report(error: unknown, doing: string): void;
}
