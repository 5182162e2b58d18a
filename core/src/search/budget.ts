/**
 * A limit for the work of one call, in steps of about a nanosecond on a small machine. The core has no clock, so the
 * callers count their steps, and round up.
 */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** Subtracts `steps`. Returns `false` if the budget is used up. */
  spend(steps: number): boolean {
    this.#left = steps > this.#left ? 0 : this.#left - steps;
    return this.#left > 0;
  }
}
