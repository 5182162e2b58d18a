import type { OutgoingMail } from '@palimpsest/core';
import { neverAborted } from '../kit/page-samples.ts';
import type { FaultCase } from '../kit/fault-cases.ts';
import { aMail } from './samples.ts';
import type { WatchedMailer } from './mail-test.ts';

/** The cases of sending one mail over a connection that fails. */
export const mailFaultCases = (mail: OutgoingMail = aMail()): readonly FaultCase<WatchedMailer>[] => [
  {
    title: 'send',
    call: ({ mailer }) => mailer.send(mail, neverAborted()),
    firstOutcome: undefined,
    readState: async ({ delivered }) => [...new Set((await delivered()).map(({ messageId }) => messageId))],
    stateBefore: [],
    stateAfter: [mail.messageId],
  },
];
