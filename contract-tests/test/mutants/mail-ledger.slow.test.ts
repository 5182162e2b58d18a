import { MemoryMailLedger } from '@palimpsest/memory';
import { describeMailLedger } from '../../src/index.ts';
import { describeStoreMutants, foldKeys, turn, wholeMs } from './mutant.ts';

describeStoreMutants('MailLedger', describeMailLedger, (store) => new MemoryMailLedger(store), {
  'counts attempts at a mail that has ended': (sound, { mails }) => ({
    begin: async (mailId, now) => {
      const record = await sound.begin(mailId, now);
      if (record.outcome === undefined) return record;
      mails.set(mailId, { ...record, attempts: record.attempts + 1 });
      return { ...record, attempts: record.attempts + 1 };
    },
  }),
  'reads the count and writes it later, not atomically': (_sound, { mails }) => ({
    begin: async (mailId, now) => {
      const { attempts, firstAttemptAt, outcome } = mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now };
      await turn();
      const record = { attempts: outcome === undefined ? attempts + 1 : attempts, firstAttemptAt, outcome };
      mails.set(mailId, record);
      return { ...record };
    },
  }),
  'stores the time of the last attempt as that of the first': (sound, { mails }) => ({
    begin: async (mailId, now) => {
      const record = { ...(await sound.begin(mailId, now)), firstAttemptAt: now };
      mails.set(mailId, record);
      return { ...record };
    },
  }),
  'stores whole milliseconds only': (sound) => ({ begin: (mailId, now) => sound.begin(mailId, wholeMs(now)) }),
  'compares ids without regard to case': (_sound, { mails }) => {
    foldKeys(mails);
    return {};
  },
  'replaces the first outcome by a later one': (sound, { mails }) => ({
    finish: async (mailId, outcome) => {
      const record = mails.get(mailId);
      if (record) mails.set(mailId, { ...record, outcome: undefined });
      await sound.finish(mailId, outcome);
    },
  }),
  'ignores the end of a mail that was never begun': (sound) => ({
    finish: (mailId, outcome) => sound.finish(mailId, outcome).catch(() => {}),
  }),
  'forgets one microsecond early': (sound) => ({ removeBefore: (moment) => sound.removeBefore(moment + 1) }),
  'forgets only mails that have ended': (sound, { mails }) => ({
    removeBefore: async (moment) => {
      const open = [...mails].filter(([, { outcome }]) => outcome === undefined);
      for (const [mailId] of open) mails.delete(mailId);
      const count = await sound.removeBefore(moment);
      for (const [mailId, record] of open) mails.set(mailId, record);
      return count;
    },
  }),
});
