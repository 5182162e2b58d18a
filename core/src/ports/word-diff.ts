import type { TextChange } from '../revision/text-change.ts';
import type { Cancellation } from '../units.ts';

/** Compares two texts word by word. */
export interface WordDiff {
  /**
   * The changes from `from` to `to`. The texts of `equal` and `delete`, joined in order, are `from`; those of `equal`
   * and `insert` are `to`. No text is empty, two neighbours have different operations, a deletion precedes an insertion
   * at the same place, and no word is divided. A few changes are found exactly; if there are too many to find within
   * about a second, whole passages count as replaced. Other work of the process continues meanwhile. When `signal`
   * aborts, the call throws the reason and stops its work, so that later calls do not wait for it.
   */
  compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]>;
}
