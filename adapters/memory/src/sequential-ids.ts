import type { IdGenerator } from '@palimpsest/core';

/** Ascending ids in the form of UUID version 7. The first one is `01941f29-7c00-7000-8000-000000000001`. */
export class SequentialIds implements IdGenerator {
  #last = 0;

  next(): string {
    return `01941f29-7c00-7000-8000-${(++this.#last).toString(16).padStart(12, '0')}`;
  }
}
