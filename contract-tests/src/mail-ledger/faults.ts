import type { MailLedger } from '@palimpsest/core';
import type { FaultCase } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';

const attempts = (count: number) => ({ attempts: count, firstAttemptAt: at(0), outcome: undefined });

export const mailLedgerFaultCases: readonly FaultCase<MailLedger>[] = [
  {
    what: 'begin',
    call: (mails) => mails.begin('mail-1', at(0)),
    first: attempts(1),
    again: [attempts(2)],
    look: async (mails) => (await mails.begin('mail-1', at(1))).firstAttemptAt,
    after: at(0),
  },
  {
    what: 'finish',
    prepare: (mails) => mails.begin('mail-1', at(0)),
    call: (mails) => mails.finish('mail-1', 'sent'),
    first: undefined,
    look: async (mails) => (await mails.begin('mail-1', at(1))).outcome,
    before: undefined,
    after: 'sent',
  },
];
