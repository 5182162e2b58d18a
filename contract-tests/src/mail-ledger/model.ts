import type { MailLedger } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { PERIOD_SECONDS, aTime } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { at, strangeTexts } from '../kit/samples.ts';

/** Random operations on the mail ledger. */
export const mailLedgerModel: OperationModel<MailLedger> = () => {
  const mail = (random: Random): string => (random.oneIn(5) ? random.pick(strangeTexts) : `mail-${random.below(6)}`);
  return {
    begin: operation(
      (random) => ({ id: mail(random), now: aTime(random) }),
      (mails, { id, now }) => mails.begin(id, now),
      5,
    ),
    'begin twice at once': operation(
      (random) => ({ id: mail(random), now: aTime(random) }),
      async (mails, { id, now }) => {
        const records = await Promise.all([mails.begin(id, now), mails.begin(id, now)]);
        return records.toSorted((a, b) => a.attempts - b.attempts);
      },
    ),
    finish: operation(
      (random) => ({ id: mail(random), outcome: random.pick(['sent', 'refused', 'dropped'] as const) }),
      (mails, { id, outcome }) => mails.finish(id, outcome),
      2,
    ),
    removeBefore: operation(
      (random) => at(random.below(PERIOD_SECONDS / 3)),
      (mails, moment) => mails.removeBefore(moment),
    ),
  };
};
