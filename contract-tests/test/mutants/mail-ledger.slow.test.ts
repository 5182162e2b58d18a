import { MemoryMailLedger } from '@palimpsest/memory';
import { describeMailLedger } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants('MailLedger', describeMailLedger, (store) => new MemoryMailLedger(store), {
  'counts attempts at a finished mail': (original, { mails }) => ({
    begin: async (mailId, now) => {
      const record = await original.begin(mailId, now);
      if (record.outcome === undefined) return record;
      mails.set(mailId, { ...record, attempts: record.attempts + 1 });
      return { ...record, attempts: record.attempts + 1 };
    },
  }),
  'reads the count and writes it later, not atomically': (_original, { mails }) => ({
    begin: async (mailId, now) => {
      const { attempts, firstAttemptAt, outcome } = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now };
      await nextTurn();
      const record = { attempts: outcome === undefined ? attempts + 1 : attempts, firstAttemptAt, outcome };
      mails.set(mailId, record);
      return { ...record };
    },
  }),
  'stores the time of the last attempt as that of the first': (original, { mails }) => ({
    begin: async (mailId, now) => {
      const record = { ...(await original.begin(mailId, now)), firstAttemptAt: now };
      mails.set(mailId, record);
      return { ...record };
    },
  }),
  'stores whole milliseconds only': (original) => ({ begin: (mailId, now) => original.begin(mailId, wholeMs(now)) }),
  'compares ids without regard to case': (_original, { mails }) => {
    foldKeys(mails);
    return {};
  },
  'replaces the first outcome by a later one': (original, { mails }) => ({
    finish: async (mailId, outcome) => {
      const record = mails.get(mailId);
      if (record) mails.set(mailId, { ...record, outcome: undefined });
      await original.finish(mailId, outcome);
    },
  }),
  'finishes a mail that was never begun': (original) => ({
    finish: (mailId, outcome) => original.finish(mailId, outcome).catch(() => {}),
  }),
  'removes mails one microsecond early': (original) => ({
    removeBefore: (moment) => original.removeBefore(moment + 1),
  }),
  'removes only finished mails': (original, { mails }) => ({
    removeBefore: async (moment) => {
      const open = [...mails].filter(([, { outcome }]) => outcome === undefined);
      for (const [mailId] of open) mails.delete(mailId);
      const count = await original.removeBefore(moment);
      for (const [mailId, record] of open) mails.set(mailId, record);
      return count;
    },
  }),
});
