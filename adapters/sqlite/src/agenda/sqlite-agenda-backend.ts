import type { AgendaBackend } from 'agenda';
import type { Database } from '../database.ts';
import { JobNotices } from './job-notices.ts';
import { SqliteJobRepository } from './sqlite-job-repository.ts';
import { SqliteNotificationChannel } from './sqlite-notification-channel.ts';

/**
 * Agenda's jobs in a database that somebody else opened and closes. Give each Agenda a backend of its own: stopping one
 * disconnects the channel. Those on one connection share `notices`, so that they tell each other of new jobs at once.
 */
export class SqliteAgendaBackend implements AgendaBackend {
  readonly name = 'SQLite';
  readonly ownsConnection = false;
  readonly repository: SqliteJobRepository;
  readonly notificationChannel: SqliteNotificationChannel;

  constructor(database: Database, notices: JobNotices = new JobNotices()) {
    this.repository = new SqliteJobRepository(database, notices);
    this.notificationChannel = new SqliteNotificationChannel(this.repository, notices, () => database.dataVersion());
  }

  /** Resolves if the store answers; otherwise throws. */
  connect(): Promise<void> {
    return this.repository.connect();
  }

  /** Stops looking for jobs. The database stays open. */
  disconnect(): Promise<void> {
    return this.notificationChannel.disconnect();
  }
}
