import type { TextChange } from '../revision/text-change.ts';
import type { Cancellation } from '../units.ts';

/** Compares two texts. */
export interface WordDiff {
  /**
   * What turns `from` into `to`, word by word: the texts of `equal` and `delete` one after the other are `from`, those
   * of `equal` and `insert` are `to`. No text is empty, no two changes in a row are alike, a deletion stands before an
   * insertion at the same place, and no word is cut. Few changes are found exactly; where there are too many to be found
   * within about a second, whole passages count as replaced. Other work of the process goes on meanwhile. When `signal`
   * aborts, throws its reason, and the work ends; nobody who comes next waits for it.
   */
  compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]>;
}
