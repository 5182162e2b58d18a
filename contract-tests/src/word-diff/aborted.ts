import type { WordDiff } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf } from '../kit/expectations.ts';
import type { Opened } from '../kit/harness.ts';
import { observed } from './observed-work.ts';
import { expectLaws, longText, shown, unlikeLongText } from './samples.ts';
import { describePatiently } from '../kit/runner.ts';

const going = new AbortController().signal;
const enough = new Error('enough');

/** What a comparison promises that is given up. */
export const describeAborted = (opened: () => Opened<WordDiff>): void =>
  describePatiently('that is aborted', 20_000, () => {
    // Too many changes to be found at once, and a text that takes its time.
    let [long, longUnlike] = ['', ''];
    before(function writeLongTexts() {
      long = longText(300_000).join('');
      longUnlike = unlikeLongText(300_000).join('');
    });

    /** A comparison that goes on, and how to end it. */
    const begin = () => {
      const controller = new AbortController();
      const outcome = rejectionOf(() => opened().subject.compare(long, longUnlike, controller.signal));
      return { outcome, abort: (reason: unknown = enough) => controller.abort(reason) };
    };

    it('throws the reason where it was aborted before', async () => {
      const pairs = [
        ['', ''],
        ['one two', 'one three'],
        ['same', 'same'],
        [long, long],
        [long, longUnlike],
      ] as const;
      for (const [from, to] of pairs) {
        for (const reason of [enough, 'a word']) {
          expect(await rejectionOf(() => opened().subject.compare(from, to, AbortSignal.abort(reason)))).to.equal(
            reason,
          );
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
      const first = opened()
        .subject.compare(long, longUnlike, going)
        .then(() => log.push('first'));
      const { outcome, abort } = begin();
      const aborted = outcome.then(() => log.push('aborted'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      abort();
      await Promise.all([first, aborted]);
      expect(log).to.deep.equal(['aborted', 'first']);
    });

    it('ends, and does not hold up who comes next', async () => {
      const once = () => opened().subject.compare(long, longUnlike, going);
      // The least of three, as what tests before have left behind may still go on.
      const alone = [await observed(once), await observed(once), await observed(once)];
      const { result, tookMs } = await observed(async () => {
        const abandoned = Array.from({ length: 12 }, () => begin());
        await new Promise((resolve) => setImmediate(resolve));
        for (const { abort } of abandoned) abort();
        expect(await Promise.all(abandoned.map(({ outcome }) => outcome))).to.deep.equal(abandoned.map(() => enough));
        return once();
      });
      expectLaws(long, longUnlike, result);
      expect(tookMs).to.be.below(4 * Math.min(...alone.map((each) => each.tookMs)));
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
      expect(shown(changes)).to.deep.equal(['=one ', '-two', '+three']);
    });
  });
