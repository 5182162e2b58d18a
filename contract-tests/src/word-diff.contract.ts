import type { TextChange, WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf, spoil } from './expectations.ts';
import { openForEach, type Open } from './harness.ts';
import { strangeTexts } from './samples.ts';
import {
  changedWords,
  expectLaws,
  fewestChangedWords,
  longText,
  randomChoice,
  randomTextParts,
  shown,
  unlikeLongText,
  wordDiffCases,
} from './word-diff-samples.ts';

// Of the processor, since others may use it too. Generous for a slow one: a long comparison takes a second or two.
const LONG_MS = 8_000;
const LONGEST_PAUSE_MS = 150;

const going = new AbortController().signal;

const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** What came of `work`, how much work it was (of all threads), and for how long at most nothing else came to its turn. */
const observed = async <T>(work: () => Promise<T>) => {
  let turns = 0;
  let longestPauseMs = 0;
  let isDone = false;
  const begun = processMs();
  let last = threadMs();
  const countPause = (): void => {
    const now = threadMs();
    longestPauseMs = Math.max(longestPauseMs, now - last);
    last = now;
  };
  const turn = (): void => {
    countPause();
    turns++;
    if (!isDone) setTimeout(turn, 1);
  };
  setTimeout(turn, 1);
  try {
    const result = await work();
    countPause();
    return { result, tookMs: processMs() - begun, turns, longestPauseMs };
  } finally {
    isDone = true;
  }
};

/** What every `WordDiff` promises. What a word is, `wordsOf` of the core says. */
export const describeWordDiff = (name: string, open: Open<WordDiff>): void =>
  void describe(`${name}, a WordDiff`, function () {
    this.timeout(30_000);
    const opened = openForEach(open);

    const compare = async (from: string, to: string): Promise<readonly TextChange[]> => {
      const changes = await opened().subject.compare(from, to, going);
      expectLaws(from, to, changes);
      return changes;
    };

    it('has no change between two empty texts, and one where only one is empty or both are equal', async () => {
      expect(await compare('', '')).to.deep.equal([]);
      for (const text of [...strangeTexts, ' ', '\n', '\0', '\ud800', 'a b\n'].filter((some) => some !== '')) {
        expect(await compare(text, text)).to.deep.equal([{ op: 'equal', text }]);
        expect(await compare('', text)).to.deep.equal([{ op: 'insert', text }]);
        expect(await compare(text, '')).to.deep.equal([{ op: 'delete', text }]);
      }
    });

    for (const { title, from, to, changes } of wordDiffCases) {
      it(title, async () => {
        expect(shown(await compare(from, to))).to.deep.equal(changes);
      });
    }

    it('turns any strange text into any other', async () => {
      const texts = [...strangeTexts, '\0', 'a\0b', '\ud800', 'a\udfffb', '\udfff\ud800', '\u0301', '\r', '\n\r', '\ufeff', '\u200d'];
      for (const from of texts) for (const to of texts) await compare(from, to);
    });

    it('finds the fewest changed words of short texts', async () => {
      const random = randomChoice(1);
      for (let round = 0; round < 400; round++) {
        const [from, to] = [randomTextParts(random, 60), randomTextParts(random, 60)].map((parts) => parts.join('')) as [string, string];
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(fewestChangedWords(from, to));
      }
    });

    it('finds the fewest changed words of a text that was changed in a few places', async () => {
      const random = randomChoice(2);
      for (let round = 0; round < 400; round++) {
        const parts = randomTextParts(random, 80);
        const changed = [...parts];
        for (let edits = random(4); edits >= 0; edits--) {
          changed.splice(random(changed.length + 1), random(3), ...randomTextParts(random, 3));
        }
        const [from, to] = [parts.join(''), changed.join('')];
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(fewestChangedWords(from, to));
      }
    });

    it('keeps comparisons apart that run at the same time', async () => {
      const pairs = Array.from({ length: 12 }, (_, i) => {
        const words = longText(i % 3 === 0 ? 30_000 : 100);
        return [words.join(''), words.with(i, `changed${i} `).join('')] as const;
      });
      const results = await Promise.all(pairs.map(([from, to]) => opened().subject.compare(from, to, going)));
      for (const [i, [from, to]] of pairs.entries()) {
        expectLaws(from, to, results[i] ?? []);
        expect(shown(results[i] ?? []).filter((change) => change.startsWith('+'))).to.deep.equal([`+changed${i}`]);
      }
    });

    it('gives the same again, whatever was done to its answer', async () => {
      for (const [from, to] of [['one two', 'one three'], ['same', 'same']] as const) {
        const first = await compare(from, to);
        const kept = structuredClone(first);
        spoil(first);
        expect(await compare(from, to)).to.deep.equal(kept);
      }
    });

    it('finds fifty changes of many thousand words exactly', async () => {
      const from = longText(30_000);
      const to = from.map((word, i) => (i % 600 === 7 ? word.replace(/\w+/, `changed-${i}`) : word));
      // "changed-7" is three words.
      expect(changedWords(await compare(from.join(''), to.join('')))).to.equal(50 * (1 + 3));
    });

    it('compares 5 MiB with few changes, exactly, in little time, while other work goes on', async () => {
      const words = longText(900_000);
      const from = words.join('');
      const to = words.map((word, i) => (i % 90_000 === 44_321 ? word.replace(/\w+/, 'changed') : word)).join('');
      const { result, tookMs, turns, longestPauseMs } = await observed(() => opened().subject.compare(from, to, going));
      expectLaws(from, to, result);
      expect(from.length).to.be.above(5 * 1024 * 1024);
      expect(shown(result).filter((change) => change === '+changed')).to.have.length(10);
      expect(changedWords(result)).to.equal(20);
      expect(tookMs).to.be.below(LONG_MS);
      expect(turns).to.be.above(20);
      expect(longestPauseMs).to.be.below(LONGEST_PAUSE_MS);
    });

    it('answers for 5 MiB of other words, while other work goes on', async () => {
      const [from, to] = [longText(900_000).join(''), unlikeLongText(900_000).join('')];
      const { result, tookMs, turns, longestPauseMs } = await observed(() => opened().subject.compare(from, to, going));
      expectLaws(from, to, result);
      expect(tookMs).to.be.below(LONG_MS);
      expect(turns).to.be.above(20);
      expect(longestPauseMs).to.be.below(LONGEST_PAUSE_MS);
    });

    it('answers for long texts that repeat themselves', async () => {
      const lines = Array.from({ length: 100_000 }, () => 'the same line\n');
      const texts = [lines, lines.map((line, i) => (i % 50 === 0 ? 'another line\n' : line)), ['same '.repeat(200_000)], ['. '.repeat(300_000)]];
      for (const from of texts) {
        for (const to of texts) {
          const { tookMs } = await observed(() => compare(from.join(''), to.join('')));
          expect(tookMs).to.be.below(LONG_MS);
        }
      }
    });

    describe('that is aborted', () => {
      const enough = new Error('enough');
      // Too many changes to be found at once, and a text that takes its time.
      const long = longText(300_000).join('');
      const longUnlike = unlikeLongText(300_000).join('');

      /** A comparison that goes on, and how to end it. */
      const begin = (from = long, to = longUnlike) => {
        const controller = new AbortController();
        const outcome = rejectionOf(() => opened().subject.compare(from, to, controller.signal));
        return { outcome, abort: (reason: unknown = enough) => controller.abort(reason) };
      };

      it('throws the reason where it was aborted before', async () => {
        const pairs = [['', ''], ['one two', 'one three'], ['same', 'same'], [long, long], [long, longUnlike]] as const;
        for (const [from, to] of pairs) {
          for (const reason of [enough, 'a word']) {
            expect(await rejectionOf(() => opened().subject.compare(from, to, AbortSignal.abort(reason)))).to.equal(reason);
          }
        }
      });

      it('throws the reason whenever it is aborted', async () => {
        for (const turns of [0, 1, 5, 25]) {
          const { outcome, abort } = begin();
          for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
          abort();
          expect(await outcome).to.equal(enough);
        }
      });

      it('throws before those end that came before', async () => {
        const log: string[] = [];
        const first = opened().subject.compare(long, longUnlike, going).then(() => log.push('first'));
        const { outcome, abort } = begin();
        const aborted = outcome.then(() => log.push('aborted'));
        await new Promise((resolve) => setTimeout(resolve, 1));
        abort();
        await Promise.all([first, aborted]);
        expect(log).to.deep.equal(['aborted', 'first']);
      });

      it('ends, and does not hold up who comes next', async () => {
        const once = () => opened().subject.compare(long, longUnlike, going);
        const alone = await observed(once);
        const { result, tookMs } = await observed(async () => {
          const abandoned = Array.from({ length: 12 }, () => begin());
          await new Promise((resolve) => setImmediate(resolve));
          for (const { abort } of abandoned) abort();
          expect(await Promise.all(abandoned.map(({ outcome }) => outcome))).to.deep.equal(abandoned.map(() => enough));
          return once();
        });
        expectLaws(long, longUnlike, result);
        expect(tookMs).to.be.below(4 * alone.tookMs);
      });

      it('leaves all others alone', async () => {
        const to = `${long}more`;
        const others = [];
        for (const reason of ['one', 'another']) {
          others.push(opened().subject.compare(long, to, going));
          const { outcome, abort } = begin();
          abort(reason);
          expect(await outcome).to.equal(reason);
        }
        for (const changes of await Promise.all(others)) expect(shown(changes).slice(1)).to.deep.equal(['+more']);
      });

      it('has what it gave out before, where it is aborted afterwards', async () => {
        const controller = new AbortController();
        const changes = await opened().subject.compare('one two', 'one three', controller.signal);
        controller.abort(enough);
        expect(shown(changes)).to.deep.equal(shown(await compare('one two', 'one three')));
      });
    });
  });
