import { wordsOf, type TextChange } from '@palimpsest/core';
import { AssertionError, expect } from 'chai';

const SIGNS = { equal: '=', insert: '+', delete: '-' } as const;

/** Changes in short notation: "=kept", "-deleted", "+inserted". */
export const shown = (changes: readonly TextChange[]): readonly string[] =>
  changes.map(({ op, text }) => SIGNS[op] + text);

const textOf = (changes: readonly TextChange[], without: TextChange['op']): string =>
  changes
    .filter(({ op }) => op !== without)
    .map(({ text }) => text)
    .join('');

/** Fails if a change begins or ends inside a word or inside a CRLF. */
const expectWholeWords = (text: string, changes: readonly TextChange[], without: TextChange['op']): void => {
  const offsets = new Set<number>();
  let offset = 0;
  for (const change of changes) {
    if (change.op === without) continue;
    offset += change.text.length;
    offsets.add(offset);
    if (text.startsWith('\r\n', offset - 1)) throw new AssertionError(`A CRLF is split at ${offset}`);
  }
  for (const { 0: word, index } of wordsOf(text)) {
    if (word.length === 1) continue;
    for (let inside = index + 1; inside < index + word.length; inside++) {
      if (offsets.has(inside)) throw new AssertionError(`${JSON.stringify(word.slice(0, 100))} is split at ${inside}`);
    }
  }
};

/** Fails unless the changes turn `from` into `to` and have the form that `WordDiff` promises. */
export const expectValidChanges = (from: string, to: string, changes: readonly TextChange[]): void => {
  // Not `expect().to.equal()`: chai needs minutes to show the difference of long texts.
  if (textOf(changes, 'insert') !== from)
    throw new AssertionError('The equal and deleted texts together are not the first text');
  if (textOf(changes, 'delete') !== to)
    throw new AssertionError('The equal and inserted texts together are not the second text');
  for (const [i, { op, text }] of changes.entries()) {
    if (text === '') throw new AssertionError('A change has no text');
    if (op !== 'equal' && op !== 'insert' && op !== 'delete')
      throw new AssertionError('A change is of an unknown kind');
    if (op === changes[i - 1]?.op) throw new AssertionError(`Two changes in a row are ${op}`);
    if (op === 'delete' && changes[i - 1]?.op === 'insert')
      throw new AssertionError('An insertion precedes a deletion');
  }
  for (const change of changes.slice(0, 10)) expect(change).to.have.all.keys('op', 'text');
  expectWholeWords(from, changes, 'insert');
  expectWholeWords(to, changes, 'delete');
};

const wordList = (text: string): readonly string[] => Array.from(wordsOf(text), ([word]) => word);

/** The number of deleted and inserted words. */
export const changedWords = (changes: readonly TextChange[]): number =>
  changes.reduce((count, { op, text }) => (op === 'equal' ? count : count + wordList(text).length), 0);

/** The smallest number of deleted and inserted words, computed from the longest common subsequence. */
export const fewestChangedWords = (from: string, to: string): number => {
  const [here, there] = [wordList(from), wordList(to)];
  let above = there.map(() => 0);
  for (const word of here) {
    const row: number[] = [];
    for (const [i, other] of there.entries()) {
      row.push(word === other ? (above[i - 1] ?? 0) + 1 : Math.max(row[i - 1] ?? 0, above[i] ?? 0));
    }
    above = row;
  }
  return here.length + there.length - 2 * (above.at(-1) ?? 0);
};
