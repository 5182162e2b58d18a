import type { TextChange, WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { spoil } from '../kit/expectations.ts';
import { openForEach, type Open } from '../kit/harness.ts';
import { observed } from './observed-work.ts';
import { strangeTexts } from '../kit/samples.ts';
import { describeAborted } from './aborted.ts';
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
} from './samples.ts';
import { describePatiently } from '../kit/runner.ts';

// Of the processor, since others may use it too. Generous for a slow one: a long comparison takes a second or two.
const LONG_MS = 8_000;
const LONGEST_PAUSE_MS = 150;

const going = new AbortController().signal;

/** What every `WordDiff` promises. What a word is, `wordsOf` of the core says. */
export const describeWordDiff = (name: string, open: Open<WordDiff>): void =>
  describePatiently(`${name}, a WordDiff`, 30_000, () => {
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
      const texts = [
        ...strangeTexts,
        '\0',
        'a\0b',
        '\ud800',
        'a\udfffb',
        '\udfff\ud800',
        '\u0301',
        '\r',
        '\n\r',
        '\ufeff',
        '\u200d',
      ];
      for (const from of texts) for (const to of texts) await compare(from, to);
    });

    it('finds the fewest changed words of short texts', async () => {
      const random = randomChoice(1);
      for (let round = 0; round < 400; round++) {
        const [from, to] = [randomTextParts(random, 60), randomTextParts(random, 60)].map((parts) =>
          parts.join(''),
        ) as [string, string];
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(
          fewestChangedWords(from, to),
        );
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
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(
          fewestChangedWords(from, to),
        );
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
      for (const [from, to] of [
        ['one two', 'one three'],
        ['same', 'same'],
      ] as const) {
        const first = await compare(from, to);
        const kept = structuredClone(first);
        spoil(first);
        expect(await compare(from, to)).to.deep.equal(kept);
      }
    });

    it('lets other work go on', async () => {
      const [from, to] = [longText(300_000).join(''), unlikeLongText(300_000).join('')];
      const { turns, longestPauseMs } = await observed(() => opened().subject.compare(from, to, going));
      expect(turns).to.be.above(5);
      expect(longestPauseMs).to.be.below(LONGEST_PAUSE_MS);
    });

    describeAborted(opened);

    // last, since a flaw that shows elsewhere is known sooner there
    describe('of long texts', () => {
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
        const { result, tookMs, turns, longestPauseMs } = await observed(() =>
          opened().subject.compare(from, to, going),
        );
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
        const { result, tookMs, turns, longestPauseMs } = await observed(() =>
          opened().subject.compare(from, to, going),
        );
        expectLaws(from, to, result);
        expect(tookMs).to.be.below(LONG_MS);
        expect(turns).to.be.above(20);
        expect(longestPauseMs).to.be.below(LONGEST_PAUSE_MS);
      });

      it('answers for long texts that repeat themselves', async () => {
        const lines = Array.from({ length: 100_000 }, () => 'the same line\n');
        const texts = [
          lines,
          lines.map((line, i) => (i % 50 === 0 ? 'another line\n' : line)),
          ['same '.repeat(200_000)],
          ['. '.repeat(300_000)],
        ];
        for (const from of texts) {
          for (const to of texts) {
            const { tookMs } = await observed(() => compare(from.join(''), to.join('')));
            expect(tookMs).to.be.below(LONG_MS);
          }
        }
      });
    });
  });
