import type { RevisionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { expectRefusal, modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { at, MANY, strangeTexts, unknownIds } from '../kit/samples.ts';
import { revisionFaultCases } from './faults.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeFaults } from '../kit/fault-cases.ts';

/** Numbers that no revision has while there are fewer than 100. */
const unknownNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.5,
  1.5,
  1 + Number.EPSILON,
  100,
  2 ** 31 + 1,
  2 ** 32 + 1, // 1 in its lowest 32 bits
  2 ** 53,
  2 ** 63, // beyond the integers of SQL
  2 ** 64,
  1e300,
  -1e300,
  NaN,
  Infinity,
  -Infinity,
];

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Tests every promise of `RevisionRepository`. */
export const describeRevisionRepository = (name: string, open: Open<RevisionRepository>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a RevisionRepository`, 30_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('returns nothing for any id of a document without revisions', async (revisions) => {
      await revisions.append('document-1', { revisedAt: at(0), text: 'text' });
      for (const id of [...unknownIds, 'document-', 'document-11', 'DOCUMENT-1']) {
        expect(await revisions.newest(id), id).to.equal(undefined);
        expect(await revisions.find(id, 1), id).to.equal(undefined);
        expect(await revisions.list(id), id).to.deep.equal([]);
      }
    });

    test('returns `undefined` for any other number', async (revisions) => {
      for (const i of numbersTo(3)) await revisions.append('document-1', { revisedAt: at(i), text: `text ${i}` });
      for (const number of [4, ...unknownNumbers]) {
        expect(await revisions.find('document-1', number), `${number}`).to.equal(undefined);
      }
    });

    test('numbers the revisions of each document from 1 and lists the newest first', async (revisions) => {
      for (let i = 1; i <= 12; i++) {
        // The numbers ascend even if the times descend.
        const given = { revisedAt: at(-i), text: `text ${i}` };
        expect(await revisions.append('document-1', given)).to.deep.equal({ number: i, ...given });
        expect((await revisions.append('document-2', { revisedAt: at(i), text: 'other' })).number).to.equal(i);
        expect(await revisions.newest('document-1')).to.deep.equal({ number: i, ...given });
      }
      expect(await revisions.list('document-1')).to.deep.equal(
        numbersTo(12)
          .toReversed()
          .map((number) => ({ number, revisedAt: at(-number), text: `text ${number}` })),
      );
      expect((await revisions.list('document-2')).map(({ text }) => text)).to.deep.equal(
        Array.from({ length: 12 }, () => 'other'),
      );
    });

    test('stores any text unchanged under any id', async (revisions) => {
      for (const text of strangeTexts) await revisions.append(text, { revisedAt: at(0), text });
      for (const text of strangeTexts) {
        expect(await revisions.list(text)).to.deep.equal([{ number: 1, revisedAt: at(0), text }]);
        expect(await revisions.find(text, 1)).to.deep.equal({ number: 1, revisedAt: at(0), text });
      }
    });

    test('stores a text of more than 5 MiB', async (revisions) => {
      const text = 'ß and 👩\n'.repeat(500_000);
      await revisions.append('document-1', { revisedAt: at(0), text });
      expect((await revisions.newest('document-1'))?.text === text).to.equal(true);
    });

    test('throws REVISION_CONFLICT and stores nothing if `expectedNewest` is another number', async (revisions) => {
      const refused = { revisedAt: at(9), text: 'refused' };
      await expectRefusal('REVISION_CONFLICT', () => revisions.append('document-1', refused, 1));
      expect(await revisions.newest('document-1')).to.equal(undefined);
      for (let i = 0; i < 2; i++) await revisions.append('document-1', { revisedAt: at(i), text: `${i}` });
      await revisions.append('document-2', { revisedAt: at(0), text: 'other' });
      for (const expected of [0, 1, 3, 4]) {
        await expectRefusal('REVISION_CONFLICT', () => revisions.append('document-1', refused, expected));
      }
      expect((await revisions.list('document-1')).map(({ text }) => text)).to.deep.equal(['1', '0']);
      expect((await revisions.append('document-1', refused, 2)).number).to.equal(3);
    });

    test('numbers concurrent revisions without gaps or duplicates', async (revisions) => {
      const appended = await Promise.all(
        numbersTo(20).map((i) => revisions.append('document-1', { revisedAt: at(i), text: `text ${i}` })),
      );
      expect(appended.map(({ number }) => number).sort((a, b) => a - b)).to.deep.equal(numbersTo(20));
      expect(await revisions.list('document-1')).to.deep.equal(appended.toSorted((a, b) => b.number - a.number));
    });

    test('stores exactly one of many concurrent revisions with the same `expectedNewest`', async (revisions) => {
      await revisions.append('document-1', { revisedAt: at(0), text: 'first' });
      const results = await Promise.allSettled(
        numbersTo(20).map((i) => revisions.append('document-1', { revisedAt: at(i), text: `candidate ${i}` }, 1)),
      );
      const winners = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
      expect(winners.map(({ number }) => number)).to.deep.equal([2]);
      for (const result of results) {
        if (result.status === 'rejected') await expectRefusal('REVISION_CONFLICT', () => Promise.reject(result.reason));
      }
      expect(await revisions.list('document-1')).to.deep.equal([
        winners[0],
        { number: 1, revisedAt: at(0), text: 'first' },
      ]);
    });

    test('lists and removes every one of many revisions', async (revisions) => {
      for (const i of numbersTo(MANY)) await revisions.append('document-1', { revisedAt: 0, text: `text ${i}` });
      expect(await revisions.list('document-1')).to.deep.equal(
        numbersTo(MANY)
          .toReversed()
          .map((number) => ({ number, revisedAt: 0, text: `text ${number}` })),
      );
      await revisions.removeAll('document-1');
      expect(await revisions.list('document-1')).to.deep.equal([]);
      for (const i of numbersTo(MANY)) expect(await revisions.find('document-1', i)).to.equal(undefined);
    });

    test('stores a revision with the text and time of the newest one', async (revisions) => {
      const given = { revisedAt: at(0), text: 'text' };
      for (const number of [1, 2, 3])
        expect(await revisions.append('document-1', given)).to.deep.equal({ number, ...given });
      expect(await revisions.append('document-1', given, 3)).to.deep.equal({ number: 4, ...given });
    });

    test('removes all revisions of one document and of no other; removing them again succeeds', async (revisions) => {
      for (const id of ['document-1', 'document-2', 'document-1'])
        await revisions.append(id, { revisedAt: at(0), text: id });
      for (const number of [1, 2]) expect((await revisions.find('document-1', number))?.number).to.equal(number);
      for (const id of [...unknownIds, 'document-1', 'document-1']) await revisions.removeAll(id);
      expect(await revisions.list('document-1')).to.deep.equal([]);
      expect(await revisions.newest('document-1')).to.equal(undefined);
      for (const number of [1, 2]) expect(await revisions.find('document-1', number)).to.equal(undefined);
      expect(await revisions.find('document-2', 1)).to.deep.equal({ number: 1, revisedAt: at(0), text: 'document-2' });
      expect(await revisions.list('document-2')).to.deep.equal([{ number: 1, revisedAt: at(0), text: 'document-2' }]);
      expect((await revisions.append('document-1', { revisedAt: at(1), text: 'anew' }, 0)).number).to.equal(1);
    });

    test('is not affected when the caller modifies given or returned objects', async (revisions) => {
      const given = { revisedAt: at(0), text: 'text' };
      const stored = { number: 1, ...given };
      const result = await revisions.append('document-1', given);
      modifyDeeply(given);
      modifyDeeply(result);
      expect(await revisions.newest('document-1')).to.deep.equal(stored);
      modifyDeeply(await revisions.newest('document-1'));
      modifyDeeply(await revisions.find('document-1', 1));
      modifyDeeply(await revisions.list('document-1'));
      expect(await revisions.find('document-1', 1)).to.deep.equal(stored);
      expect(await revisions.newest('document-1')).to.deep.equal(stored);
      expect(await revisions.list('document-1')).to.deep.equal([stored]);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('sees every change of the first handle at once, and numbers revisions over both', async () => {
        const handles = [opened().subject, await second()] as const;
        const [here, there] = handles;
        const first = await here.append('document-1', { revisedAt: at(0), text: 'first' });
        expect(await there.newest('document-1')).to.deep.equal(first);
        expect(await there.find('document-1', 1)).to.deep.equal(first);
        await expectRefusal('REVISION_CONFLICT', () =>
          there.append('document-1', { revisedAt: at(0), text: 'late' }, 0),
        );
        const appended = await Promise.all(
          numbersTo(20).map((i) =>
            (i % 2 === 0 ? here : there).append('document-1', { revisedAt: at(i), text: `text ${i}` }),
          ),
        );
        expect(appended.map(({ number }) => number).sort((a, b) => a - b)).to.deep.equal(
          numbersTo(20).map((i) => i + 1),
        );
        expect(await here.list('document-1')).to.deep.equal(await there.list('document-1'));
        await there.removeAll('document-1');
        expect(await here.list('document-1')).to.deep.equal([]);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has every revision', async () => {
        const stored = await opened().subject.append('document-1', { revisedAt: at(0), text: 'text' });
        const revisions = await reopen();
        expect(await revisions.list('document-1')).to.deep.equal([stored]);
        expect(await revisions.find('document-1', 1)).to.deep.equal(stored);
        expect((await revisions.append('document-1', { revisedAt: at(1), text: 'next' }, 1)).number).to.equal(2);
      });
    });

    describeFaults(opened, without, (subject) => subject, revisionFaultCases);
  });
