import type { Cancellation, TextChange } from '@palimpsest/core';
import type { TextPair } from './compare-texts.ts';

// Threads exchange the changes as numbers, which are transferred without a copy: for each change the index of its
// operation and its length.
const OPS: readonly TextChange['op'][] = ['equal', 'insert', 'delete'];
const CHANGES_PER_BATCH = 5_000;

/** Encodes changes without their texts. */
export const packChanges = (changes: readonly TextChange[]): Int32Array<ArrayBuffer> =>
  Int32Array.from(changes.flatMap(({ op, text }) => [OPS.indexOf(op), text.length]));

/**
 * Decodes changes and adds their texts. Yields to the event loop after each batch. Throws the reason of `signal` when
 * it aborts.
 */
export const unpackChanges = async (
  packed: Int32Array,
  { from, to }: TextPair,
  signal: Cancellation,
): Promise<readonly TextChange[]> => {
  const changes: TextChange[] = [];
  let [fromIndex, toIndex] = [0, 0];
  for (let i = 0; i < packed.length; i += 2) {
    const op = OPS[packed[i] ?? 0] ?? 'equal';
    const length = packed[i + 1] ?? 0;
    changes.push({
      op,
      text: op === 'insert' ? to.slice(toIndex, toIndex + length) : from.slice(fromIndex, fromIndex + length),
    });
    if (op !== 'insert') fromIndex += length;
    if (op !== 'delete') toIndex += length;
    if (changes.length % CHANGES_PER_BATCH !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return changes;
};
