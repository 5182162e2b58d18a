import type { IdGenerator } from '@palimpsest/core';

/** Ids that count up, in the form of UUID version 7: `01941f29-7c00-7000-8000-000000000001` and on. */
export class SequentialIds implements IdGenerator {
  #last = 0;

  next(): string {
    return `01941f29-7c00-7000-8000-${(++this.#last).toString(16).padStart(12, '0')}`;
  }
}
