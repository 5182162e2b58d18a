import { MemoryMailLedger } from '@palimpsest/memory';
import { describeMailLedger } from '../../src/mail-ledger.contract.ts';
import { describeStoreMutants, foldCase, turn, wholeMs } from './mutant.ts';

describeStoreMutants('MailLedger', describeMailLedger, (store) => new MemoryMailLedger(store), {
  'does not count attempts': (sound) => ({
    begin: async (mailId, now) => ({ ...(await sound.begin(mailId, now)), attempts: 1 }),
  }),
  'counts attempts at a mail that has ended': (sound, { mails }) => ({
    begin: async (mailId, now) => {
      const record = await sound.begin(mailId, now);
      if (record.outcome === undefined) return record;
      mails.set(mailId, { ...record, attempts: record.attempts + 1 });
      return { ...record, attempts: record.attempts + 1 };
    },
  }),
  'gives the record as it was before the attempt': (sound) => ({
    begin: async (mailId, now) => {
      const record = await sound.begin(mailId, now);
      return record.outcome === undefined ? { ...record, attempts: record.attempts - 1 } : record;
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
  'does not give the outcome': (sound) => ({
    begin: async (mailId, now) => ({ ...(await sound.begin(mailId, now)), outcome: undefined }),
  }),
  'returns the object that it stores': (sound, { mails }) => ({
    begin: async (mailId, now) => {
      const record = await sound.begin(mailId, now);
      return mails.get(mailId) ?? record;
    },
  }),
  'compares ids without regard to case': (_sound, { mails }) => {
    foldCase(mails);
    return {};
  },
  'ends no mail': () => ({ finish: async () => {} }),
  'replaces the first outcome by a later one': (sound, { mails }) => ({
    finish: async (mailId, outcome) => {
      const record = mails.get(mailId);
      if (record) mails.set(mailId, { ...record, outcome: undefined });
      await sound.finish(mailId, outcome);
    },
  }),
  'throws when a mail is ended twice': (sound, { mails }) => ({
    finish: async (mailId, outcome) => {
      if (mails.get(mailId)?.outcome !== undefined) throw new Error('ended');
      await sound.finish(mailId, outcome);
    },
  }),
  'ignores the end of a mail that was never begun': (sound) => ({
    finish: (mailId, outcome) => sound.finish(mailId, outcome).catch(() => {}),
  }),
  'stores every outcome as sent': (sound) => ({ finish: (mailId) => sound.finish(mailId, 'sent') }),
  'forgets nothing': () => ({ removeBefore: async () => 0 }),
  'forgets one microsecond early': (sound) => ({ removeBefore: (moment) => sound.removeBefore(moment + 1) }),
  'forgets one microsecond late': (sound) => ({ removeBefore: (moment) => sound.removeBefore(moment - 1) }),
  'forgets only mails that have ended': (sound, { mails }) => ({
    removeBefore: async (moment) => {
      const open = [...mails].filter(([, { outcome }]) => outcome === undefined);
      for (const [mailId] of open) mails.delete(mailId);
      const count = await sound.removeBefore(moment);
      for (const [mailId, record] of open) mails.set(mailId, record);
      return count;
    },
  }),
  'does not count the mails that it forgets': (sound) => ({
    removeBefore: async (moment) => {
      await sound.removeBefore(moment);
      return 0;
    },
  }),
});
