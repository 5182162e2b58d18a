import type { Instant, MailLedger, MailOutcome, MailRecord } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

interface Row {
  readonly attempts: number;
  readonly first_attempt_at: number;
  readonly outcome: MailOutcome | null;
}

/** Attempts and outcomes of mails in SQLite. */
export class SqliteMailLedger implements MailLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin(mailId: string, now: Instant): Promise<MailRecord> {
    const row = await this.#database.write(() =>
      this.#database.one<Row>(
        `INSERT INTO mails (mail_id, attempts, first_attempt_at) VALUES (?, 1, ?)
         ON CONFLICT (mail_id) DO UPDATE SET attempts = attempts + (outcome IS NULL)
         RETURNING attempts, first_attempt_at, outcome`,
        mailId,
        now,
      ),
    );
    if (row === undefined) throw new TypeError('SQLite did not return the written row');
    return { attempts: row.attempts, firstAttemptAt: row.first_attempt_at, outcome: row.outcome ?? undefined };
  }

  async finish(mailId: string, outcome: MailOutcome): Promise<void> {
    const found = await this.#database.write(() =>
      this.#database.run('UPDATE mails SET outcome = coalesce(outcome, ?) WHERE mail_id = ?', outcome, mailId),
    );
    if (found === 0) throw new TypeError('A mail without an attempt cannot have an outcome');
  }

  removeBefore(moment: Instant): Promise<number> {
    return removeInBatches(this.#database, { table: 'mails', condition: 'first_attempt_at < ?' }, moment);
  }
}
