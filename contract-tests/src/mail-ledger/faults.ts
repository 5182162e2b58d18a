import type { MailLedger } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';

const attempts = (count: number) => ({ attempts: count, firstAttemptAt: at(0), outcome: undefined });

export const mailLedgerFaultCases: readonly FaultCase<MailLedger>[] = [
  {
    title: 'begin',
    call: (mails) => mails.begin('mail-1', at(0)),
    firstOutcome: attempts(1),
    repeatOutcomes: [attempts(2)],
    readState: async (mails) => (await mails.begin('mail-1', at(1))).firstAttemptAt,
    stateAfter: at(0),
  },
  {
    title: 'finish',
    prepare: (mails) => mails.begin('mail-1', at(0)),
    call: (mails) => mails.finish('mail-1', 'sent'),
    firstOutcome: undefined,
    readState: async (mails) => (await mails.begin('mail-1', at(1))).outcome,
    stateBefore: undefined,
    stateAfter: 'sent',
  },
];
