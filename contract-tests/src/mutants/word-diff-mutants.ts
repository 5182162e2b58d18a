import { wordsOf, type Cancellation, type TextChange, type WordDiff } from '@palimpsest/core';
import { mutant, type Mutants } from './mutant.ts';

type Compare = WordDiff['compare'];
type Changes = readonly TextChange[];

const plain = (change: (compare: Compare) => Compare) =>
  mutant<WordDiff>(() => (sound) => ({ compare: change((from, to, signal) => sound.compare(from, to, signal)) }));

const going = new AbortController().signal;

/** What `changes` gives, or as soon as the signal aborts its reason. */
const orAborted = (changes: Promise<Changes>, signal: Cancellation): Promise<Changes> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    changes.then(resolve, reject);
  });

/** Changes what comes out. */
const answering = (change: (changes: Changes, from: string, to: string) => Changes) =>
  plain((compare) => async (from, to, signal) => change(await compare(from, to, signal), from, to));

/** Changes the texts that go in. */
const reading = (change: (text: string) => string) =>
  plain((compare) => (from, to, signal) => compare(change(from), change(to), signal));

/** As `reading`, with what comes out cut from the texts as they were, so that only what counts as equal is wrong. */
const readingAlike = (change: (text: string) => string) =>
  plain((compare) => async (from, to, signal) => {
    if (change(from).length !== from.length || change(to).length !== to.length) return compare(from, to, signal);
    let [fromPlace, toPlace] = [0, 0];
    return (await compare(change(from), change(to), signal)).map(({ op, text: { length } }) => {
      const text = op === 'delete' ? from.slice(fromPlace, fromPlace + length) : to.slice(toPlace, toPlace + length);
      if (op !== 'insert') fromPlace += length;
      if (op !== 'delete') toPlace += length;
      return { op, text };
    });
  });

const merged = (changes: Changes): Changes => {
  const all: TextChange[] = [];
  for (const { op, text } of changes) {
    const last = all.at(-1);
    if (last?.op === op) all[all.length - 1] = { op, text: last.text + text };
    else if (text !== '') all.push({ op, text });
  }
  return all;
};

const SHORT = 2_000;

/** Compares short texts by their longest common subsequence of whatever `split` makes of them. */
const splitting = (split: (text: string) => readonly string[]) =>
  plain((compare) => async (from, to, signal) => {
    if (from.length > SHORT || to.length > SHORT) return compare(from, to, signal);
    const [here, there] = [split(from), split(to)];
    const rest = Array.from({ length: here.length + 1 }, () => Array.from({ length: there.length + 1 }, () => 0));
    const at = (x: number, y: number): number => rest[x]?.[y] ?? 0;
    for (let x = here.length - 1; x >= 0; x--) {
      for (let y = there.length - 1; y >= 0; y--) {
        const row = rest[x];
        if (row) row[y] = here[x] === there[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
      }
    }
    const changes: TextChange[] = [];
    let [x, y] = [0, 0];
    let inserted = '';
    const insert = (): void => {
      changes.push({ op: 'insert', text: inserted });
      inserted = '';
    };
    while (x < here.length || y < there.length) {
      const [mine, other] = [here[x] ?? '', there[y] ?? ''];
      if (x < here.length && y < there.length && mine === other) {
        insert();
        changes.push({ op: 'equal', text: mine });
        x++;
        y++;
      } else if (y >= there.length || (x < here.length && at(x + 1, y) >= at(x, y + 1))) {
        changes.push({ op: 'delete', text: mine });
        x++;
      } else {
        inserted += other;
        y++;
      }
    }
    insert();
    return merged(changes.filter(({ text }) => text !== ''));
  });

const replaced = (from: string, to: string): Changes =>
  merged([
    { op: 'delete', text: from },
    { op: 'insert', text: to },
  ]);

const matching = (pattern: RegExp) => (text: string) => text.match(pattern) ?? [];

/** What cuts texts is sound but for where it cuts: by words and white space it finds no fewer equal words. */
const spacesApart = (text: string): readonly string[] => {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: word, index } of wordsOf(text)) {
    if (index > end) parts.push(text.slice(end, index));
    parts.push(word);
    end = index + word.length;
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
};

/** Broken comparisons, by what is wrong with them. */
export const wordDiffMutants: Mutants<WordDiff> = {
  'finds no change': answering((_changes, from) => (from === '' ? [] : [{ op: 'equal', text: from }])),
  'replaces all of a text': answering((changes, from, to) => (from === to ? changes : replaced(from, to))),
  'replaces all between the first and the last change': answering((changes) => {
    const first = changes[0]?.op === 'equal' ? [changes[0]] : [];
    const last = changes.length > 1 && changes.at(-1)?.op === 'equal' ? changes.slice(-1) : [];
    const between = changes.slice(first.length, changes.length - last.length);
    const textOf = (without: TextChange['op']): string =>
      between.reduce((text, change) => (change.op === without ? text : text + change.text), '');
    return [...first, ...replaced(textOf('insert'), textOf('delete')), ...last];
  }),
  'compares the other way round': plain((compare) => (from, to, signal) => compare(to, from, signal)),
  'puts insertions before deletions': answering((changes) => {
    const all = [...changes];
    for (const [i, change] of changes.entries()) {
      const next = changes[i + 1];
      if (change.op === 'delete' && next?.op === 'insert') [all[i], all[i + 1]] = [next, change];
    }
    return all;
  }),
  'gives each word as a change of its own': answering((changes) =>
    changes.flatMap(({ op, text }) => spacesApart(text).map((part) => ({ op, text: part }))),
  ),
  'leaves out what is equal': answering((changes) => changes.filter(({ op }) => op !== 'equal')),
  'leaves out changes of white space': answering((changes) =>
    changes.filter(({ op, text }) => op === 'equal' || text.trim() !== ''),
  ),
  'has an empty change for empty texts': answering((changes) =>
    changes.length === 0 ? [{ op: 'equal', text: '' }] : changes,
  ),
  'has an empty deletion before each insertion': answering((changes) =>
    changes.flatMap((change, i): Changes =>
      change.op === 'insert' && changes[i - 1]?.op !== 'delete' ? [{ op: 'delete', text: '' }, change] : [change],
    ),
  ),
  'tells more than was asked': answering((changes) => changes.map((change) => ({ ...change, count: 1 }))),
  'trims texts': reading((text) => text.trim()),
  'normalises texts': reading((text) => text.normalize('NFC')),
  'makes line ends alike': reading((text) => text.replaceAll('\r\n', '\n')),
  'replaces lone surrogates': reading((text) => text.toWellFormed()),
  'drops NUL': reading((text) => text.replaceAll('\0', '')),
  'ignores case': readingAlike((text) => text.toLowerCase()),
  'ignores what kind of white space there is': readingAlike((text) => text.replaceAll(/\s/g, ' ')),
  'compares lines': splitting(matching(/[^\n]*\n|[^\n]+/g)),
  'compares what stands between spaces': splitting(matching(/\s+|\S+/g)),
  'compares characters': splitting(matching(/[^]/gu)),
  'compares UTF-16 code units': splitting((text) => text.split('')),
  'takes A to Z alone for letters': splitting(matching(/\w+|\s|[^]/gu)),
  'cuts marks from letters': splitting(matching(/[\p{L}\p{N}_]+|\s|[^]/gu)),
  'cuts emoji that are joined': splitting(matching(/[\p{L}\p{M}\p{N}_]+|\s|[^]\p{M}*/gu)),
  'takes a Chinese sentence for a word': splitting(matching(/[\p{L}\p{M}\p{N}_\u00ad]+|\s+|[^\s]/gu)),
  'counts white space as much as words': splitting(spacesApart),
  'takes the first equal word that comes': plain((compare) => async (from, to, signal) => {
    if (from.length > SHORT || to.length > SHORT) return compare(from, to, signal);
    const there = spacesApart(to);
    const changes: TextChange[] = [];
    let y = 0;
    for (const text of spacesApart(from)) {
      const found = there.indexOf(text, y);
      if (found === -1) {
        changes.push({ op: 'delete', text });
        continue;
      }
      changes.push({ op: 'insert', text: there.slice(y, found).join('') }, { op: 'equal', text });
      y = found + 1;
    }
    return merged(
      [...changes, { op: 'insert', text: there.slice(y).join('') }].filter(({ text }) => text !== '') as Changes,
    );
  }),
  'finds ten changes at most': answering((changes, from, to) =>
    changes.filter(({ op }) => op !== 'equal').length > 10 ? replaced(from, to) : changes,
  ),
  'compares one mebibyte at most': reading((text) => text.slice(0, 1024 * 1024)),
  'fails for long texts': plain((compare) => async (from, to, signal) => {
    if (from.length > 1024 * 1024) throw new RangeError('Maximum call stack size exceeded');
    return compare(from, to, signal);
  }),
  'lets nothing else go on': plain((compare) => async (from, to, signal) => {
    const end = performance.now() + (from.length > 1024 * 1024 ? 600 : 0);
    while (performance.now() < end);
    return compare(from, to, signal);
  }),
  'mixes up comparisons that run at the same time': mutant(() => {
    let last = ['', ''];
    return (sound) => ({
      compare: async (from, to, signal) => {
        last = [from, to];
        await new Promise((resolve) => setImmediate(resolve));
        return sound.compare(last[0] ?? '', last[1] ?? '', signal);
      },
    });
  }),
  'gives the same answer out twice': mutant(() => {
    const out = new Map<string, Changes>();
    return (sound) => ({
      compare: async (from, to, signal) => {
        const key = JSON.stringify([from, to]);
        out.set(key, out.get(key) ?? (await sound.compare(from, to, signal)));
        return out.get(key) ?? [];
      },
    });
  }),
  'cannot be aborted': plain((compare) => (from, to) => compare(from, to, going)),
  'does not look whether it is aborted already': plain((compare) => async (from, to, signal) => {
    if (from.length + to.length < SHORT || from === to) return compare(from, to, going);
    return compare(from, to, signal);
  }),
  'looks only before it begins': plain((compare) => async (from, to, signal) => {
    signal.throwIfAborted();
    return compare(from, to, going);
  }),
  'looks only when it has ended': plain((compare) => async (from, to, signal) => {
    const changes = await compare(from, to, going);
    signal.throwIfAborted();
    return changes;
  }),
  'goes on with what was aborted': plain(
    (compare) => (from, to, signal) => orAborted(compare(from, to, going), signal),
  ),
  'goes on with what was aborted, and lets others wait for it': mutant(() => {
    let last: Promise<unknown> = Promise.resolve();
    return (sound) => ({
      compare: (from, to, signal) => {
        const changes = last.then(() => sound.compare(from, to, going));
        last = changes;
        return orAborted(changes, signal);
      },
    });
  }),
  'throws when those before it have ended': mutant(() => {
    let last: Promise<unknown> = Promise.resolve();
    return (sound) => ({
      compare: (from, to, signal) => {
        const changes = last.then(() => sound.compare(from, to, signal));
        last = changes.catch(() => {});
        return changes;
      },
    });
  }),
  'fails for all who come after one that was aborted': mutant(() => {
    let last: Promise<unknown> = Promise.resolve();
    return (sound) => ({
      compare: (from, to, signal) => {
        const changes = last.then(() => sound.compare(from, to, signal));
        last = changes;
        return changes;
      },
    });
  }),
  'ends all when one is aborted': mutant(() => {
    let all = new AbortController();
    return (sound) => ({
      compare: async (from, to, signal) => {
        const abort = (): void => {
          all.abort(signal.reason);
          all = new AbortController();
        };
        if (signal.aborted) abort();
        signal.addEventListener('abort', abort, { once: true });
        const changes = await sound.compare(from, to, AbortSignal.any([all.signal, signal as AbortSignal]));
        signal.removeEventListener('abort', abort);
        return changes;
      },
    });
  }),
  'gives nothing when it is aborted': plain((compare) => async (from, to, signal) => {
    try {
      return await compare(from, to, signal);
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }),
  'throws an error of its own when it is aborted': plain((compare) => async (from, to, signal) => {
    try {
      return await compare(from, to, signal);
    } catch (error) {
      throw new Error('The comparison was aborted', { cause: error });
    }
  }),
  'never answers when it is aborted': plain((compare) => async (from, to, signal) => {
    try {
      return await compare(from, to, signal);
    } catch {
      return new Promise<never>(() => undefined);
    }
  }),
};
