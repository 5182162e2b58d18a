/** Where faults go that were survived: the work went on or will be made up for, but somebody should know. */
export interface FaultLog {
  /** Notes a fault with what was being done, in a few words. Never throws. */
  report(error: unknown, doing: string): void;
}
