/**
 * How much may still be done, in steps of about a nanosecond on a small machine. The core has no clock, so what takes
 * time is counted, and rather too high than too low.
 */
export class Effort {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes `steps` off. `false` if there are not so many: then nothing is left. */
  spend(steps: number): boolean {
    this.#left = steps > this.#left ? 0 : this.#left - steps;
    return this.#left > 0;
  }
}
