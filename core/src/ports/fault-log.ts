/** Receives the faults that an operator should know, although the work continued or will be repeated. */
export interface FaultLog {
  /** Records a fault. `doing` describes in a few words what the code was doing. Never throws. */
  report(fault: unknown, doing: string): void;
}
