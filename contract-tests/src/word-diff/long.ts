import type { WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf } from '../kit/expectations.ts';
import { cpuMsOf } from '../kit/cpu-time.ts';
import { openOnce, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { longText, unlikeLongText } from './texts.ts';
import { changedWords, expectValidChanges, shown } from './valid-changes.ts';

const neverAborted = new AbortController().signal;

/** Tests `WordDiff` with texts of 5 MiB. It takes up to a minute: call it from a slow test. */
export const describeLongWordDiff = (name: string, open: Open<WordDiff>): void =>
  describeWithTimeout(`${name}, a WordDiff, with long texts`, 120_000, () => {
    const opened = openOnce(open);

    /** Compares the texts. Fails if the event loop is blocked until the result arrives. */
    const compare = async (from: string, to: string) => {
      let [turns, isDone] = [0, false];
      const turn = (): void => {
        turns++;
        if (!isDone) setTimeout(turn, 1);
      };
      setTimeout(turn, 1);
      const changes = await opened()
        .subject.compare(from, to, neverAborted)
        .finally(() => (isDone = true));
      expectValidChanges(from, to, changes);
      expect(turns, 'turns of the event loop').to.be.above(5);
      return changes;
    };

    it('finds fifty changes among many thousand words exactly', async () => {
      const from = longText(30_000);
      const to = from.map((word, i) => (i % 600 === 7 ? word.replace(/\w+/, `changed-${i}`) : word));
      const changes = await opened().subject.compare(from.join(''), to.join(''), neverAborted);
      expect(changedWords(changes), '"changed-7" is three words').to.equal(50 * (1 + 3));
    });

    it('finds ten changes in 5 MiB exactly and does not block the event loop', async () => {
      const words = longText(900_000);
      const to = words.map((word, i) => (i % 90_000 === 44_321 ? word.replace(/\w+/, 'changed') : word));
      const changes = await compare(words.join(''), to.join(''));
      expect(shown(changes).filter((change) => change === '+changed')).to.have.length(10);
      expect(changedWords(changes)).to.equal(20);
    });

    it('compares 5 MiB with 5 MiB of other words and does not block the event loop', async () => {
      await compare(longText(900_000).join(''), unlikeLongText(900_000).join(''));
    });

    it('compares long texts with many equal words', async () => {
      const lines = Array.from({ length: 100_000 }, () => 'the same line\n');
      const texts = [
        lines.join(''),
        lines.map((line, i) => (i % 50 === 0 ? 'another line\n' : line)).join(''),
        'same '.repeat(200_000),
        '. '.repeat(300_000),
      ];
      for (const from of texts) {
        for (const to of texts) expectValidChanges(from, to, await opened().subject.compare(from, to, neverAborted));
      }
    });

    it('throws the reason when the signal aborts at any point', async () => {
      const [from, to] = [longText(300_000).join(''), unlikeLongText(300_000).join('')];
      for (const turns of [0, 1, 5, 25]) {
        const controller = new AbortController();
        const outcome = rejectionOf(() => opened().subject.compare(from, to, controller.signal));
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        controller.abort('enough');
        expect(await outcome).to.equal('enough');
      }
    });

    it('stops the work of aborted comparisons', async () => {
      const [from, to] = [longText(300_000).join(''), unlikeLongText(300_000).join('')];
      const once = () => opened().subject.compare(from, to, neverAborted);
      await once();
      const alone = Math.min(await cpuMsOf(once), await cpuMsOf(once));
      const afterAborts = await cpuMsOf(async () => {
        const controller = new AbortController();
        const aborted = Array.from({ length: 24 }, () =>
          rejectionOf(() => opened().subject.compare(from, to, controller.signal)),
        );
        await new Promise((resolve) => setImmediate(resolve));
        controller.abort('enough');
        await Promise.all(aborted);
        await once();
      });
      expect(afterAborts, 'CPU time of 24 aborted comparisons and one more').to.be.below(8 * alone);
    });
  });
