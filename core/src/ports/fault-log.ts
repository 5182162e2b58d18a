/** Receives errors that an operator should know, although the work continued or will be repeated. */
export interface FaultLog {
  /** Records an error. `doing` describes in a few words what the code was doing. Never throws. */
  report(error: unknown, doing: string): void;
}
