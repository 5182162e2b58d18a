import type { Instant, MailLedger, MailOutcome, MailRecord } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** The record of each mail, in memory. */
export class MemoryMailLedger implements MailLedger {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async begin(mailId: string, now: Instant): Promise<MailRecord> {
    const { attempts, firstAttemptAt, outcome } = this.#store.mails.get(mailId) ?? { attempts: 0, firstAttemptAt: now };
    const record: MailRecord = { attempts: outcome === undefined ? attempts + 1 : attempts, firstAttemptAt, outcome };
    this.#store.mails.set(mailId, record);
    return { ...record };
  }

  async finish(mailId: string, outcome: MailOutcome): Promise<void> {
    const record = this.#store.mails.get(mailId);
    if (record === undefined) throw new TypeError('A mail that was never begun cannot be finished');
    if (record.outcome === undefined) this.#store.mails.set(mailId, { ...record, outcome });
  }

  async removeBefore(moment: Instant): Promise<number> {
    const removed = [...this.#store.mails].filter(([, { firstAttemptAt }]) => firstAttemptAt < moment);
    for (const [mailId] of removed) this.#store.mails.delete(mailId);
    return removed.length;
  }
}
