interface Line {
  readonly waiting: Set<() => void>;
  begun: number;
}

/** A number of places, given to who waits: to the account that has the fewest of them, in turn where several have as few. */
export class Turns {
  readonly #places: number;
  readonly #placesPerAccount: number;
  readonly #lines = new Map<string, Line>(); // by account; who was served last stands last
  #begun = 0;

  /** At most `places` at once, and at most `placesPerAccount` of them for one account. */
  constructor(places: number, placesPerAccount: number) {
    this.#places = places;
    this.#placesPerAccount = placesPerAccount;
  }

  /**
   * Calls `begin` when a place is free for the account: before it returns, if there is one. What it returns gives up the
   * place, or the wait for one, and may be called again without effect.
   */
  enter(account: string, begin: () => void): () => void {
    const line = this.#lines.get(account) ?? { waiting: new Set(), begun: 0 };
    this.#lines.set(account, line);
    const turn = (): void => begin();
    line.waiting.add(turn);
    this.#fill();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      if (!line.waiting.delete(turn)) {
        line.begun--;
        this.#begun--;
      }
      if (line.waiting.size === 0 && line.begun === 0) this.#lines.delete(account);
      this.#fill();
    };
  }

  #fill(): void {
    while (this.#begun < this.#places) {
      const turn = this.#next();
      if (turn === undefined) return;
      turn();
    }
  }

  #next(): (() => void) | undefined {
    let next: { account: string; line: Line; turn: () => void } | undefined;
    for (const [account, line] of this.#lines) {
      const [turn] = line.waiting;
      if (turn === undefined || line.begun >= this.#placesPerAccount) continue;
      if (next === undefined || line.begun < next.line.begun) next = { account, line, turn };
    }
    if (next === undefined) return undefined;
    const { account, line, turn } = next;
    line.waiting.delete(turn);
    line.begun++;
    this.#begun++;
    this.#lines.delete(account);
    this.#lines.set(account, line);
    return turn;
  }
}
