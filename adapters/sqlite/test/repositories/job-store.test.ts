import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { openSqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';

/** Rows as version 0.1.0 wrote them: the record holds all fields of Agenda. */
const insertOldRow = (
  database: DatabaseSync,
  id: string,
  name: string,
  json: string,
  lockedAtMs: number | null,
): void => {
  const record = { name, type: 'normal', priority: 0, nextRunAt: 1_000, data: { json }, lockedAt: lockedAtMs };
  database
    .prepare(
      `INSERT INTO agenda_jobs (name, type, priority, next_run_at_ms, locked_at_ms, lock_token, disabled, record, job_id)
       VALUES (?, 'normal', 0, 1000, ?, ?, 0, ?, ?)`,
    )
    .run(name, lockedAtMs, lockedAtMs === null ? null : 'token', JSON.stringify(record), id);
};

describe('SqliteJobStore', () => {
  it('locks the jobs that an earlier version stored: unlocked jobs at once, locked jobs after their lock has expired', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-jobs-'));
    const file = join(folder, 'palimpsest.db');
    await (await openSqlite({ file })).close();
    const database = new DatabaseSync(file);
    insertOldRow(database, 'waiting', 'recognize', '{}', null);
    insertOldRow(database, 'lost', 'send-mail', '{"mailId":"m"}', 5_000);
    insertOldRow(database, 'unknown', 'kind-of-an-earlier-version', '{}', null);
    database.close();
    const { jobStore, close } = await openSqlite({ file });
    try {
      expect(await jobStore.lockNext('recognize', 'a', 10_000)).to.deep.equal({
        id: 'waiting',
        payload: '{}',
        isRecurring: false,
      });
      expect(await jobStore.lockNext('send-mail', 'b', 10_000)).to.equal(undefined);
      await jobStore.releaseExpired(['send-mail'], 5_000);
      expect(await jobStore.lockNext('send-mail', 'c', 10_000)).to.include({ id: 'lost', payload: '{"mailId":"m"}' });
      expect(await jobStore.remove({ id: 'lost', token: 'c' })).to.equal(true);
    } finally {
      await close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
