import type { Cancellation, TextChange } from '@palimpsest/core';
import type { TextPair } from './compare-texts.ts';

// Between threads the changes go as numbers, which cost nothing to hand over: for each the place of its name, its length.
const OPS: readonly TextChange['op'][] = ['equal', 'insert', 'delete'];
const CHANGES_PER_TURN = 5_000;

/** The changes without their texts. */
export const packChanges = (changes: readonly TextChange[]): Int32Array<ArrayBuffer> =>
  Int32Array.from(changes.flatMap(({ op, text }) => [OPS.indexOf(op), text.length]));

/** The changes with their texts again. Other work of the thread goes on between. Throws the reason of `signal` when it aborts. */
export const unpackChanges = async (
  packed: Int32Array,
  { from, to }: TextPair,
  signal: Cancellation,
): Promise<readonly TextChange[]> => {
  const changes: TextChange[] = [];
  let [fromPlace, toPlace] = [0, 0];
  for (let i = 0; i < packed.length; i += 2) {
    const op = OPS[packed[i] ?? 0] ?? 'equal';
    const length = packed[i + 1] ?? 0;
    changes.push({
      op,
      text: op === 'insert' ? to.slice(toPlace, toPlace + length) : from.slice(fromPlace, fromPlace + length),
    });
    if (op !== 'insert') fromPlace += length;
    if (op !== 'delete') toPlace += length;
    if (changes.length % CHANGES_PER_TURN !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return changes;
};
