import type { TextChange, WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf, modifyDeeply } from '../kit/expectations.ts';
import { openOnce, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { strangeTexts } from '../kit/samples.ts';
import { wordDiffCases } from './cases.ts';
import { longText, randomChoice, randomTextParts, unlikeLongText } from './texts.ts';
import { changedWords, expectValidChanges, fewestChangedWords, shown } from './valid-changes.ts';

const neverAborted = new AbortController().signal;
const reason = new Error('aborted by the test');

/** Tests every promise of `WordDiff`. The function `wordsOf` of the core defines what a word is. */
export const describeWordDiff = (name: string, open: Open<WordDiff>): void =>
  describeWithTimeout(`${name}, a WordDiff`, 30_000, () => {
    const opened = openOnce(open);

    const compare = async (from: string, to: string): Promise<readonly TextChange[]> => {
      const changes = await opened().subject.compare(from, to, neverAborted);
      expectValidChanges(from, to, changes);
      return changes;
    };

    it('returns no change for two empty texts, and one change if one text is empty or both are equal', async () => {
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

    it('returns changes that turn any unusual text into any other', async () => {
      const texts = [...strangeTexts, '\0', 'a\0b', '\ud800', 'a\udfffb', '\udfff\ud800', '\u0301', '\r', '\n\r'];
      for (const from of texts) for (const to of texts) await compare(from, to);
    });

    it('changes the smallest possible number of words in random short texts', async () => {
      const random = randomChoice(1);
      for (let round = 0; round < 150; round++) {
        const from = randomTextParts(random, 60).join('');
        const to = randomTextParts(random, 60).join('');
        const expected = fewestChangedWords(from, to);
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(expected);
      }
    });

    it('changes the smallest possible number of words in a text that was edited in a few places', async () => {
      const random = randomChoice(2);
      for (let round = 0; round < 150; round++) {
        const parts = randomTextParts(random, 80);
        const changed = [...parts];
        for (let edits = random(4); edits >= 0; edits--) {
          changed.splice(random(changed.length + 1), random(3), ...randomTextParts(random, 3));
        }
        const [from, to] = [parts.join(''), changed.join('')];
        const expected = fewestChangedWords(from, to);
        expect(changedWords(await compare(from, to)), JSON.stringify([from, to])).to.equal(expected);
      }
    });

    it('returns its own result for each of several concurrent comparisons', async () => {
      const pairs = Array.from({ length: 12 }, (_, i) => {
        const words = longText(i % 3 === 0 ? 3_000 : 100);
        return [words.join(''), words.with(i, `changed${i} `).join('')] as const;
      });
      const results = await Promise.all(pairs.map(([from, to]) => compare(from, to)));
      for (const [i, changes] of results.entries()) {
        expect(shown(changes).filter((change) => change.startsWith('+'))).to.deep.equal([`+changed${i}`]);
      }
    });

    it('returns the same result again after the caller has modified an earlier result', async () => {
      for (const [from, to] of [
        ['one two', 'one three'],
        ['same', 'same'],
      ] as const) {
        const first = await compare(from, to);
        const kept = structuredClone(first);
        modifyDeeply(first);
        expect(await compare(from, to)).to.deep.equal(kept);
      }
    });

    describe('with a long comparison', () => {
      let [long, unlike] = ['', ''];
      before(function writeLongTexts() {
        long = longText(60_000).join('');
        unlike = unlikeLongText(60_000).join('');
      });

      it('runs callbacks of the event loop before the result arrives', async () => {
        const order: string[] = [];
        setImmediate(() => order.push('callback'));
        await opened().subject.compare(long, unlike, neverAborted);
        order.push('result');
        expect(order).to.deep.equal(['callback', 'result']);
      });

      it('throws the reason of a signal that was aborted before the call', async () => {
        for (const [from, to] of [
          ['', ''],
          ['one two', 'one three'],
          [long, unlike],
        ] as const) {
          const action = () => opened().subject.compare(from, to, AbortSignal.abort(reason));
          expect(await rejectionOf(action)).to.equal(reason);
        }
      });

      it('throws the reason when the signal aborts, without waiting for an earlier comparison', async () => {
        const order: string[] = [];
        const first = opened()
          .subject.compare(long, unlike, neverAborted)
          .then(() => order.push('first'));
        const controller = new AbortController();
        const second = rejectionOf(() => opened().subject.compare(long, unlike, controller.signal));
        controller.abort(reason);
        expect(await second).to.equal(reason);
        order.push('aborted');
        await first;
        expect(order).to.deep.equal(['aborted', 'first']);
      });

      it('completes the other comparisons when one is aborted', async () => {
        const others = [];
        for (let i = 0; i < 2; i++) {
          others.push(compare(long, `${long}more`));
          const controller = new AbortController();
          const aborted = rejectionOf(() => opened().subject.compare(long, unlike, controller.signal));
          controller.abort(reason);
          expect(await aborted).to.equal(reason);
        }
        for (const changes of await Promise.all(others)) expect(shown(changes).slice(1)).to.deep.equal(['+more']);
      });
    });
  });
