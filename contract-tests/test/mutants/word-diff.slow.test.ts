import type { TextChange, WordDiff } from '@palimpsest/core';
import { MemoryWordDiff } from '@palimpsest/memory';
import { describeWordDiff } from '../../src/index.ts';
import { describeMutants, nextTurn, type Mutant } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes the result. */
const returning =
  (change: (changes: readonly TextChange[]) => readonly TextChange[]): Mutant<WordDiff> =>
  (original) => ({ compare: async (from, to, signal) => change(await original.compare(from, to, signal)) });

/** Changes both texts before they are compared. */
const comparing =
  (change: (text: string) => string): Mutant<WordDiff> =>
  (original) => ({ compare: (from, to, signal) => original.compare(change(from), change(to), signal) });

describeMutants('WordDiff', describeWordDiff, () => new MemoryWordDiff(), {
  'replaces the whole text': () => ({
    compare: async (from, to) => {
      if (from === to) return from === '' ? [] : [{ op: 'equal', text: from }];
      const all: readonly TextChange[] = [
        { op: 'delete', text: from },
        { op: 'insert', text: to },
      ];
      return all.filter(({ text }) => text !== '');
    },
  }),
  'compares in the wrong direction': (original) => ({
    compare: (from, to, signal) => original.compare(to, from, signal),
  }),
  'puts insertions before deletions': returning((changes) => {
    const swapped = [...changes];
    for (let i = 0; i + 1 < swapped.length; i++) {
      const [one, next] = [swapped[i], swapped[i + 1]];
      if (one?.op === 'delete' && next?.op === 'insert') swapped.splice(i, 2, next, one);
    }
    return swapped;
  }),
  'compares texts in Unicode normal form': comparing((text) => text.normalize()),
  'replaces lone surrogates': comparing((text) => text.toWellFormed()),
  'compares characters instead of words': () => ({
    compare: async (from, to) => {
      let start = 0;
      while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
      const all: readonly TextChange[] = [
        { op: 'equal', text: from.slice(0, start) },
        { op: 'delete', text: from.slice(start) },
        { op: 'insert', text: to.slice(start) },
      ];
      return all.filter(({ text }) => text !== '');
    },
  }),
  'finds only the first and the last of several changes': returning((changes) => {
    const [first, last] = [
      changes.findIndex(({ op }) => op !== 'equal'),
      changes.findLastIndex(({ op }) => op !== 'equal'),
    ];
    const between = changes.slice(Math.max(0, first), last + 1);
    const join = (op: TextChange['op']): string =>
      between
        .filter((one) => one.op === op || one.op === 'equal')
        .map(({ text }) => text)
        .join('');
    const all: readonly TextChange[] = [
      ...changes.slice(0, Math.max(0, first)),
      { op: 'delete', text: between.some(({ op }) => op === 'delete') ? join('delete') : '' },
      { op: 'insert', text: between.some(({ op }) => op === 'insert') ? join('insert') : '' },
      ...changes.slice(last + 1),
    ];
    return between.length < 4 ? changes : all.filter(({ text }) => text !== '');
  }),
  'mixes up comparisons that run at the same time': (original) => {
    let last: readonly [string, string] | undefined;
    return {
      compare: async (from, to, signal) => {
        last = [from, to];
        await nextTurn();
        return await original.compare(last[0], last[1], signal);
      },
    };
  },
  'returns the same array for the same texts': (original) => {
    const known = new Map<string, Promise<readonly TextChange[]>>();
    return {
      compare: (from, to, signal) => {
        const key = JSON.stringify([from, to]);
        const answer = known.get(key) ?? original.compare(from, to, signal);
        if (from.length < 1000 && !signal.aborted) known.set(key, answer);
        return answer;
      },
    };
  },
  'ignores the abort signal': (original) => ({ compare: (from, to) => original.compare(from, to, neverAborted) }),
  'checks the abort signal only before it begins': (original) => ({
    compare: (from, to, signal) => {
      signal.throwIfAborted();
      return original.compare(from, to, neverAborted);
    },
  }),
  'aborts all comparisons when one is aborted': (original) => {
    let common = new AbortController();
    return {
      compare: (from, to, signal) => {
        signal.throwIfAborted();
        const { signal: shared } = common;
        signal.addEventListener('abort', () => {
          common.abort(signal.reason);
          common = new AbortController();
        });
        return original.compare(from, to, shared);
      },
    };
  },
});
