import type { Instant, MailLedger, MailOutcome, MailRecord } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

type Records = Map<string, MailRecord>;

const mailLedger = (mails: Records): MailLedger => ({
  begin: async (mailId, now) => {
    const found = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now, outcome: undefined };
    const record = { ...found, attempts: found.outcome === undefined ? found.attempts + 1 : found.attempts };
    mails.set(mailId, record);
    return { ...record };
  },
  finish: async (mailId, outcome) => {
    const found = mails.get(mailId);
    if (found === undefined) throw new TypeError('never begun');
    mails.set(mailId, { ...found, outcome: found.outcome ?? outcome });
  },
  removeBefore: async (moment) => removeWhere(mails, ({ firstAttemptAt }) => firstAttemptAt < moment),
});

const removeWhere = (mails: Records, isOver: (record: MailRecord, mailId: string) => boolean): number => {
  const over = [...mails].filter(([mailId, record]) => isOver(record, mailId));
  for (const [mailId] of over) mails.delete(mailId);
  return over.length;
};

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A ledger of the mutants' own, with some methods changed that know its records. */
const overRecords = (change: (mails: Records) => Partial<MailLedger>): Mutant<MailLedger> =>
  mutant(() => {
    const mails: Records = new Map();
    return () => ({ ...mailLedger(mails), ...change(mails) });
  });

const plain = (change: (sound: MailLedger) => Partial<MailLedger>) => mutant(() => change);

/** Gives records out as `change` has them. */
const giving = (change: (record: MailRecord, now: Instant) => Partial<MailRecord>) =>
  plain((sound) => ({
    begin: async (mailId, now) => {
      const record = await sound.begin(mailId, now);
      return { ...record, ...change(record, now) };
    },
  }));

/** The ledger that the mutants with records of their own are made of passes the suite. */
export const plainMailLedger: Mutant<MailLedger> = overRecords(() => ({}));

/** Broken ledgers, by what is wrong with them. */
export const mailLedgerMutants: Mutants<MailLedger> = {
  'counts no attempts': giving(() => ({ attempts: 1 })),
  'counts attempts from nought': giving(({ attempts }) => ({ attempts: attempts - 1 })),
  'counts attempts at a mail that has ended': overRecords((mails) => ({
    begin: async (mailId, now) => {
      const found = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now, outcome: undefined };
      const record = { ...found, attempts: found.attempts + 1 };
      mails.set(mailId, record);
      return { ...record };
    },
  })),
  'takes the last attempt for the first': giving((_record, now) => ({ firstAttemptAt: now })),
  'takes the last attempt for the first while a mail has not ended': giving(({ firstAttemptAt, outcome }, now) => ({
    firstAttemptAt: outcome === undefined ? now : firstAttemptAt,
  })),
  'takes the earliest moment for that of the first attempt': giving(({ firstAttemptAt }, now) => ({
    firstAttemptAt: Math.min(now, firstAttemptAt),
  })),
  'keeps milliseconds': giving(({ firstAttemptAt }) => ({ firstAttemptAt: Math.floor(firstAttemptAt / 1000) * 1000 })),
  'hides how a mail ended': giving(() => ({ outcome: undefined })),
  'takes every outcome for sent': giving(({ outcome }) => ({ outcome: outcome && 'sent' })),
  'gives no field where there is no outcome': plain((sound) => ({
    begin: async (mailId, now) => {
      const { outcome, ...record } = await sound.begin(mailId, now);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the flaw itself
      return (outcome === undefined ? record : { ...record, outcome }) as MailRecord;
    },
  })),
  'ends nothing': plain(() => ({ finish: async () => {} })),
  'forgets a mail that has ended': overRecords((mails) => ({
    finish: async (mailId) => {
      if (!mails.delete(mailId)) throw new TypeError('never begun');
    },
  })),
  'lets the last outcome stay': overRecords((mails) => ({
    finish: async (mailId, outcome) => {
      const found = mails.get(mailId);
      if (found === undefined) throw new TypeError('never begun');
      mails.set(mailId, { ...found, outcome });
    },
  })),
  'lets sent win over what was first': overRecords((mails) => ({
    finish: async (mailId, outcome) => {
      const found = mails.get(mailId);
      if (found === undefined) throw new TypeError('never begun');
      mails.set(mailId, { ...found, outcome: outcome === 'sent' ? outcome : (found.outcome ?? outcome) });
    },
  })),
  'throws when what has ended ends once more': mutant(() => {
    const ended = new Set<string>();
    return (sound) => ({
      finish: async (mailId, outcome) => {
        if (ended.has(mailId)) throw new TypeError('ended');
        await sound.finish(mailId, outcome);
        ended.add(mailId);
      },
    });
  }),
  'passes over the end of what was never begun': plain((sound) => ({
    finish: (mailId, outcome) => sound.finish(mailId, outcome).catch(() => {}),
  })),
  'keeps the end of what was never begun': overRecords((mails) => ({
    finish: async (mailId, outcome) => {
      const found = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: 0, outcome: undefined };
      mails.set(mailId, { ...found, outcome: found.outcome ?? outcome });
      if (found.attempts === 0) throw new TypeError('never begun');
    },
  })),
  'says in other words that a mail was never begun': plain((sound) => ({
    finish: async (mailId, outcome) => {
      await sound.finish(mailId, outcome).catch((error: unknown) => {
        throw new Error('never begun', { cause: error });
      });
    },
  })),
  'ends all mails at once': overRecords((mails) => ({
    finish: async (mailId, outcome) => {
      if (!mails.has(mailId)) throw new TypeError('never begun');
      for (const [id, record] of mails) mails.set(id, { ...record, outcome: record.outcome ?? outcome });
    },
  })),
  'takes ids without regard to case': plain((sound) => ({
    begin: (mailId, now) => sound.begin(mailId.toLowerCase(), now),
  })),
  'trims ids': plain((sound) => ({ begin: (mailId, now) => sound.begin(mailId.trim(), now) })),
  'reads the count and then writes it': overRecords((mails) => ({
    begin: async (mailId, now) => {
      const found = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now, outcome: undefined };
      await aTurn();
      const record = { ...found, attempts: found.outcome === undefined ? found.attempts + 1 : found.attempts };
      mails.set(mailId, record);
      return { ...record };
    },
  })),
  'counts first and then reads the count': overRecords((mails) => {
    const sound = mailLedger(mails);
    return {
      begin: async (mailId, now) => {
        const record = await sound.begin(mailId, now);
        await aTurn();
        return { ...(mails.get(mailId) ?? record) };
      },
    };
  }),
  'goes by the outcome that a handle was told first': mutant(() => {
    const first = new WeakMap<MailLedger, Map<string, MailOutcome>>();
    return (sound) => ({
      finish: async (mailId, outcome) => {
        await sound.finish(mailId, outcome);
        const own = first.get(sound) ?? new Map<string, MailOutcome>();
        if (!own.has(mailId)) own.set(mailId, outcome);
        first.set(sound, own);
      },
      begin: async (mailId, now) => {
        const record = await sound.begin(mailId, now);
        return { ...record, outcome: record.outcome && (first.get(sound)?.get(mailId) ?? record.outcome) };
      },
    });
  }),
  'forgets nothing': plain(() => ({ removeBefore: async () => 0 })),
  'forgets a microsecond early': plain((sound) => ({ removeBefore: (moment) => sound.removeBefore(moment + 1) })),
  'forgets a microsecond late': plain((sound) => ({ removeBefore: (moment) => sound.removeBefore(moment - 1) })),
  'counts nothing of what it forgot': plain((sound) => ({
    removeBefore: async (moment) => {
      await sound.removeBefore(moment);
      return 0;
    },
  })),
  'forgets only what has ended': overRecords((mails) => ({
    removeBefore: async (moment) =>
      removeWhere(mails, ({ firstAttemptAt, outcome }) => firstAttemptAt < moment && outcome !== undefined),
  })),
  'forgets only what has not ended': overRecords((mails) => ({
    removeBefore: async (moment) =>
      removeWhere(mails, ({ firstAttemptAt, outcome }) => firstAttemptAt < moment && outcome === undefined),
  })),
  'forgets by the last attempt': mutant(() => {
    const mails: Records = new Map();
    const lastAttemptAt = new Map<string, Instant>();
    const own = mailLedger(mails);
    return () => ({
      ...own,
      begin: async (mailId, now) => {
        lastAttemptAt.set(mailId, now);
        return own.begin(mailId, now);
      },
      removeBefore: async (moment) =>
        removeWhere(mails, (_record, mailId) => (lastAttemptAt.get(mailId) ?? 0) < moment),
    });
  }),
  'gives the record out that it keeps': overRecords((mails) => ({
    begin: async (mailId, now) => {
      const found: { attempts: number; firstAttemptAt: Instant; outcome: MailOutcome | undefined } = mails.get(
        mailId,
      ) ?? {
        attempts: 0,
        firstAttemptAt: now,
        outcome: undefined,
      };
      if (found.outcome === undefined) found.attempts++;
      mails.set(mailId, found);
      return found;
    },
  })),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
