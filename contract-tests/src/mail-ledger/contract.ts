import type { Instant, MailLedger, MailOutcome, MailRecord } from '@palimpsest/core';
import { expect } from 'chai';
import { expectTypeError, modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { at, MANY, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { mailLedgerFaultCases } from './faults.ts';
import { describeFaults } from '../kit/fault-cases.ts';

const CONCURRENT = 20;

/** Two handles on one store (or the same handle twice) that concurrent calls use alternately. */
type Handles = readonly [here: MailLedger, there: MailLedger];

const record = (attempts: number, firstAttemptAt: Instant, outcome?: MailOutcome): MailRecord => ({
  attempts,
  firstAttemptAt,
  outcome,
});

const outcomes: readonly MailOutcome[] = ['sent', 'refused', 'dropped'];

/** Tests every promise of `MailLedger`. */
export const describeMailLedger = (name: string, open: Open<MailLedger>, without: Without = {}): void =>
  void describe(`${name}, a MailLedger`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    /** Begins a mail many times concurrently and expects a different number for each attempt. */
    const raceBegins = async ([here, there]: Handles, mailId: string) => {
      const records = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, i) => (i % 2 === 0 ? here : there).begin(mailId, at(i))),
      );
      const attempts = records.map((record) => record?.attempts ?? 0).sort((a, b) => a - b);
      expect(attempts).to.deep.equal(Array.from({ length: CONCURRENT }, (_, i) => i + 1));
      expect(new Set(records.map((record) => record?.firstAttemptAt))).to.have.property('size', 1);
    };

    /** Finishes a mail many times concurrently and expects that both handles keep the same outcome. */
    const raceFinishes = async ([here, there]: Handles, mailId: string) => {
      await here.begin(mailId, at(0));
      await Promise.all(
        Array.from({ length: CONCURRENT }, async (_, i) =>
          (i % 2 === 0 ? here : there).finish(mailId, outcomes[i % 3] ?? 'sent'),
        ),
      );
      const found = new Set<MailOutcome | undefined>();
      for (const mails of [here, there]) found.add((await mails.begin(mailId, at(1))).outcome);
      expect(found).to.have.property('size', 1);
      expect(outcomes).to.include([...found][0]);
    };

    test('counts the first attempt at a mail', async (mails) => {
      expect(await mails.begin('mail-1', at(5) + 1)).to.deep.equal(record(1, at(5) + 1));
    });

    test('counts each attempt and keeps the time of the first, even if the clock moves back', async (mails) => {
      await mails.begin('mail-1', at(5));
      for (const [i, now] of [at(6), at(5), at(4), 0].entries()) {
        expect(await mails.begin('mail-1', now)).to.deep.equal(record(i + 2, at(5)));
      }
    });

    test('keeps the time of the first attempt if it is 0, and counts 30 attempts', async (mails) => {
      for (let attempts = 1; attempts <= 30; attempts++) {
        expect(await mails.begin('mail-1', attempts === 1 ? 0 : at(attempts))).to.deep.equal({
          attempts,
          firstAttemptAt: 0,
          outcome: undefined,
        });
      }
      expect(await mails.removeBefore(0), 'number removed').to.equal(0);
      expect(await mails.removeBefore(1), 'number removed').to.equal(1);
    });

    test('does not count attempts at a finished mail', async (mails) => {
      for (const outcome of outcomes) {
        await mails.begin(outcome, at(5));
        await mails.begin(outcome, at(6));
        await mails.finish(outcome, outcome);
        for (const now of [at(7), at(8), at(1)]) {
          expect(await mails.begin(outcome, now)).to.deep.equal({ attempts: 2, firstAttemptAt: at(5), outcome });
        }
      }
    });

    test('keeps the first outcome', async (mails) => {
      for (const first of outcomes) {
        await mails.begin(first, at(0));
        for (const outcome of [first, ...outcomes]) await mails.finish(first, outcome);
        expect(await mails.begin(first, at(1))).to.deep.equal({ attempts: 1, firstAttemptAt: at(0), outcome: first });
      }
    });

    test('throws a TypeError when a mail without an attempt is finished', async (mails) => {
      await mails.begin(sampleId(1), at(0));
      for (const mailId of [...unknownIds, sampleId(2)]) await expectTypeError(() => mails.finish(mailId, 'sent'));
      for (const mailId of [sampleId(2), ...strangeTexts]) {
        expect(await mails.begin(mailId, at(1))).to.deep.equal(record(1, at(1)));
      }
      expect(await mails.begin(sampleId(1), at(1))).to.deep.equal(record(2, at(0)));
    });

    test('keeps mails with unusual ids separate', async (mails) => {
      const ids = [...strangeTexts, 'mail-1', 'mail-11', 'MAIL-1'];
      for (const [i, mailId] of ids.entries()) expect((await mails.begin(mailId, at(i))).attempts, mailId).to.equal(1);
      for (const mailId of ids.slice(0, 5)) await mails.finish(mailId, 'sent');
      for (const [i, mailId] of ids.entries()) {
        const isFinished = i < 5;
        expect(await mails.begin(mailId, at(100)), mailId).to.deep.equal({
          attempts: isFinished ? 1 : 2,
          firstAttemptAt: at(i),
          outcome: isFinished ? 'sent' : undefined,
        });
      }
    });

    test('counts each of many concurrent attempts once', async (subject) => {
      await raceBegins([subject, subject], 'mail-1');
    });

    test('keeps one of many concurrent outcomes', async (subject) => {
      await raceFinishes([subject, subject], 'mail-1');
    });

    test('removes mails with a first attempt before the given time, exact to the microsecond, and returns their number', async (mails) => {
      const older = { early: at(1), late: at(10) - 1, finished: at(2) };
      const newer = { exact: at(10), after: at(10) + 1, 'after, finished': at(20) };
      for (const [mailId, now] of Object.entries({ ...older, ...newer })) await mails.begin(mailId, now);
      await mails.begin('early', at(30));
      await mails.begin('exact', at(1));
      for (const mailId of ['finished', 'after, finished']) await mails.finish(mailId, 'sent');
      expect(await mails.removeBefore(at(1)), 'number removed').to.equal(0);
      expect(await mails.removeBefore(at(10)), 'number removed').to.equal(3);
      expect(await mails.removeBefore(at(10)), 'number removed').to.equal(0);
      expect(await mails.begin('exact', at(40))).to.deep.equal(record(3, at(10)));
      expect(await mails.begin('after', at(40))).to.deep.equal(record(2, at(10) + 1));
      expect(await mails.begin('after, finished', at(40))).to.deep.equal(record(1, at(20), 'sent'));
      for (const mailId of Object.keys(older)) {
        expect(await mails.begin(mailId, at(40)), mailId).to.deep.equal(record(1, at(40)));
      }
    });

    test('removes every one of many mails', async (mails) => {
      const ids = Array.from({ length: MANY }, (_, i) => `mail-${i}`);
      await Promise.all(ids.map((mailId) => mails.begin(mailId, at(0))));
      expect(await mails.removeBefore(at(1)), 'number removed').to.equal(MANY);
      const records = await Promise.all(ids.map((mailId) => mails.begin(mailId, at(2))));
      expect(new Set(records.map(({ attempts }) => attempts))).to.deep.equal(new Set([1]));
    });

    test('is not affected when the caller modifies given or returned objects', async (mails) => {
      modifyDeeply(await mails.begin('mail-1', at(0)));
      modifyDeeply(await mails.begin('mail-1', at(1)));
      await mails.finish('mail-1', 'sent');
      modifyDeeply(await mails.begin('mail-1', at(2)));
      expect(await mails.begin('mail-1', at(2))).to.deep.equal(record(2, at(0), 'sent'));
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        await here.begin('mail-1', at(0));
        expect(await there.begin('mail-1', at(1))).to.deep.equal(record(2, at(0)));
        await there.finish('mail-1', 'refused');
        expect(await here.begin('mail-1', at(2))).to.deep.equal(record(2, at(0), 'refused'));
        expect(await here.removeBefore(at(1)), 'number removed').to.equal(1);
        expect(await there.begin('mail-1', at(3))).to.deep.equal(record(1, at(3)));
      });

      it('counts each attempt once and keeps one outcome over both handles', async () => {
        const [here, there] = [opened().subject, await second()];
        await raceBegins([here, there], 'mail-1');
        await raceFinishes([here, there], 'mail-2');
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      test('keeps the attempts and the outcome of each mail', async (before) => {
        for (const mailId of ['open', 'finished', 'open']) await before.begin(mailId, at(0));
        await before.finish('finished', 'dropped');
        const mails = await reopen();
        expect(await mails.begin('open', at(1))).to.deep.equal(record(3, at(0)));
        expect(await mails.begin('finished', at(1))).to.deep.equal(record(1, at(0), 'dropped'));
      });
    });

    describeFaults(opened, without, (subject) => subject, mailLedgerFaultCases);
  });
