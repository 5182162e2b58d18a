/**
 * A budget of work in steps of about a nanosecond on a small machine. The core has no clock, so it counts the steps,
 * rather too many than too few.
 */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** Subtracts `steps`. `false` if fewer are left; then nothing is left. */
  spend(steps: number): boolean {
    this.#left = steps > this.#left ? 0 : this.#left - steps;
    return this.#left > 0;
  }
}
