import type { MailLedger, MailOutcome } from '@palimpsest/core';
import { expect } from 'chai';
import { expectTypeError, spoil } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { at, MANY, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { mailLedgerFaultCases } from './faults.ts';
import { describeFaults } from '../kit/fault-cases.ts';

const RIVALS = 50;

/** Two handles on one store, or one twice, between which rivals take turns. */
type Handles = readonly [here: MailLedger, there: MailLedger];
const outcomes: readonly MailOutcome[] = ['sent', 'refused', 'dropped'];

/** What every `MailLedger` promises. */
export const describeMailLedger = (name: string, open: Open<MailLedger>, without: Without = {}): void =>
  void describe(`${name}, a MailLedger`, () => {
    const opened = openForEach(open);

    /** Begins a mail many times at once and expects each attempt to have a number of its own. */
    const raceBegins = async ([here, there]: Handles, mailId: string) => {
      const records = await Promise.all(
        Array.from({ length: RIVALS }, (_, i) => (i % 2 === 0 ? here : there).begin(mailId, at(i))),
      );
      const attempts = records.map((record) => record?.attempts ?? 0).sort((a, b) => a - b);
      expect(attempts).to.deep.equal(Array.from({ length: RIVALS }, (_, i) => i + 1));
      expect(new Set(records.map((record) => record?.firstAttemptAt))).to.have.property('size', 1);
    };

    /** Ends a mail in many ways at once and expects that one outcome stays, everywhere. */
    const raceFinishes = async ([here, there]: Handles, mailId: string) => {
      await here.begin(mailId, at(0));
      await Promise.all(
        Array.from({ length: RIVALS }, async (_, i) =>
          (i % 2 === 0 ? here : there).finish(mailId, outcomes[i % 3] ?? 'sent'),
        ),
      );
      const found = new Set<MailOutcome | undefined>();
      for (const mails of [here, there]) found.add((await mails.begin(mailId, at(1))).outcome);
      expect(found).to.have.property('size', 1);
      expect(outcomes).to.include([...found][0]);
    };

    it('begins a mail with its first attempt', async () => {
      const { subject: mails } = opened();
      expect(await mails.begin('mail-1', at(5) + 1)).to.deep.equal({
        attempts: 1,
        firstAttemptAt: at(5) + 1,
        outcome: undefined,
      });
    });

    it('counts each attempt and keeps the moment of the first, whatever the clock says later', async () => {
      const { subject: mails } = opened();
      await mails.begin('mail-1', at(5));
      for (const [i, now] of [at(6), at(5), at(4), 0].entries()) {
        expect(await mails.begin('mail-1', now)).to.deep.equal({
          attempts: i + 2,
          firstAttemptAt: at(5),
          outcome: undefined,
        });
      }
    });

    it('keeps the first moment even if that is 0, and counts far', async () => {
      const { subject: mails } = opened();
      for (let attempts = 1; attempts <= 300; attempts++) {
        expect(await mails.begin('mail-1', attempts === 1 ? 0 : at(attempts))).to.deep.equal({
          attempts,
          firstAttemptAt: 0,
          outcome: undefined,
        });
      }
      expect(await mails.removeBefore(0), 'how many were removed').to.equal(0);
      expect(await mails.removeBefore(1), 'how many were removed').to.equal(1);
    });

    it('gives the record of a mail that has ended as it is', async () => {
      const { subject: mails } = opened();
      for (const outcome of outcomes) {
        await mails.begin(outcome, at(5));
        await mails.begin(outcome, at(6));
        await mails.finish(outcome, outcome);
        for (const now of [at(7), at(8), at(1)]) {
          expect(await mails.begin(outcome, now)).to.deep.equal({ attempts: 2, firstAttemptAt: at(5), outcome });
        }
      }
    });

    it('keeps the first outcome', async () => {
      const { subject: mails } = opened();
      for (const first of outcomes) {
        await mails.begin(first, at(0));
        for (const outcome of [first, ...outcomes]) await mails.finish(first, outcome);
        expect(await mails.begin(first, at(1))).to.deep.equal({ attempts: 1, firstAttemptAt: at(0), outcome: first });
      }
    });

    it('does not end a mail that was never begun', async () => {
      const { subject: mails } = opened();
      await mails.begin(sampleId(1), at(0));
      for (const mailId of [...unknownIds, sampleId(2)]) await expectTypeError(() => mails.finish(mailId, 'sent'));
      for (const mailId of [sampleId(2), ...strangeTexts]) {
        expect(await mails.begin(mailId, at(1))).to.deep.equal({
          attempts: 1,
          firstAttemptAt: at(1),
          outcome: undefined,
        });
      }
      expect(await mails.begin(sampleId(1), at(1))).to.deep.equal({
        attempts: 2,
        firstAttemptAt: at(0),
        outcome: undefined,
      });
    });

    it('keeps mails apart, whatever their ids', async () => {
      const { subject: mails } = opened();
      const ids = [...strangeTexts, 'mail-1', 'mail-11', 'MAIL-1'];
      for (const [i, mailId] of ids.entries()) expect((await mails.begin(mailId, at(i))).attempts, mailId).to.equal(1);
      for (const mailId of ids.slice(0, 5)) await mails.finish(mailId, 'sent');
      for (const [i, mailId] of ids.entries()) {
        const ended = i < 5;
        expect(await mails.begin(mailId, at(100)), mailId).to.deep.equal({
          attempts: ended ? 1 : 2,
          firstAttemptAt: at(i),
          outcome: ended ? 'sent' : undefined,
        });
      }
    });

    it('gives each of many attempts at once a number of its own', async () => {
      const { subject } = opened();
      await raceBegins([subject, subject], 'mail-1');
    });

    it('keeps one outcome of many at once', async () => {
      const { subject } = opened();
      await raceFinishes([subject, subject], 'mail-1');
    });

    it('forgets mails whose first attempt was before the moment, to the microsecond, and tells how many that was', async () => {
      const { subject: mails } = opened();
      const over = { early: at(1), late: at(10) - 1, ended: at(2) };
      const good = { exact: at(10), after: at(10) + 1, 'after, ended': at(20) };
      for (const [mailId, now] of Object.entries({ ...over, ...good })) await mails.begin(mailId, now);
      await mails.begin('early', at(30));
      await mails.begin('exact', at(1));
      for (const mailId of ['ended', 'after, ended']) await mails.finish(mailId, 'sent');
      expect(await mails.removeBefore(at(1)), 'how many were removed').to.equal(0);
      expect(await mails.removeBefore(at(10)), 'how many were removed').to.equal(3);
      expect(await mails.removeBefore(at(10)), 'how many were removed').to.equal(0);
      expect(await mails.begin('exact', at(40))).to.deep.equal({
        attempts: 3,
        firstAttemptAt: at(10),
        outcome: undefined,
      });
      expect(await mails.begin('after', at(40))).to.deep.equal({
        attempts: 2,
        firstAttemptAt: at(10) + 1,
        outcome: undefined,
      });
      expect(await mails.begin('after, ended', at(40))).to.deep.equal({
        attempts: 1,
        firstAttemptAt: at(20),
        outcome: 'sent',
      });
      for (const mailId of Object.keys(over)) {
        expect(await mails.begin(mailId, at(40)), mailId).to.deep.equal({
          attempts: 1,
          firstAttemptAt: at(40),
          outcome: undefined,
        });
      }
    });

    it('forgets every one of many', async () => {
      const { subject: mails } = opened();
      const ids = Array.from({ length: MANY }, (_, i) => `mail-${i}`);
      await Promise.all(ids.map((mailId) => mails.begin(mailId, at(0))));
      expect(await mails.removeBefore(at(1)), 'how many were removed').to.equal(MANY);
      const records = await Promise.all(ids.map((mailId) => mails.begin(mailId, at(2))));
      expect(new Set(records.map(({ attempts }) => attempts))).to.deep.equal(new Set([1]));
    });

    it('keeps its records when objects outside change', async () => {
      const { subject: mails } = opened();
      spoil(await mails.begin('mail-1', at(0)));
      spoil(await mails.begin('mail-1', at(1)));
      await mails.finish('mail-1', 'sent');
      spoil(await mails.begin('mail-1', at(2)));
      expect(await mails.begin('mail-1', at(2))).to.deep.equal({ attempts: 2, firstAttemptAt: at(0), outcome: 'sent' });
    });

    describeWith('openSecond', opened, without, (second) => {
      it('shows there at once what happens here', async () => {
        const { subject: here } = opened();
        const there = await second();
        await here.begin('mail-1', at(0));
        expect(await there.begin('mail-1', at(1))).to.deep.equal({
          attempts: 2,
          firstAttemptAt: at(0),
          outcome: undefined,
        });
        await there.finish('mail-1', 'refused');
        expect(await here.begin('mail-1', at(2))).to.deep.equal({
          attempts: 2,
          firstAttemptAt: at(0),
          outcome: 'refused',
        });
        expect(await here.removeBefore(at(1)), 'how many were removed').to.equal(1);
        expect(await there.begin('mail-1', at(3))).to.deep.equal({
          attempts: 1,
          firstAttemptAt: at(3),
          outcome: undefined,
        });
      });

      it('counts each attempt once and keeps one outcome over both', async () => {
        const [here, there] = [opened().subject, await second()];
        await raceBegins([here, there], 'mail-1');
        await raceFinishes([here, there], 'mail-2');
      });
    });

    describeWith('reopen', opened, without, (anew) => {
      it('still knows every attempt and outcome', async () => {
        const { subject: before } = opened();
        for (const mailId of ['open', 'ended', 'open']) await before.begin(mailId, at(0));
        await before.finish('ended', 'dropped');
        const mails = await anew();
        expect(await mails.begin('open', at(1))).to.deep.equal({
          attempts: 3,
          firstAttemptAt: at(0),
          outcome: undefined,
        });
        expect(await mails.begin('ended', at(1))).to.deep.equal({
          attempts: 1,
          firstAttemptAt: at(0),
          outcome: 'dropped',
        });
      });
    });

    describeFaults(opened, without, (subject) => subject, mailLedgerFaultCases);
  });
