import type { AgendaBackend } from 'agenda';
import type { Database } from '../database.ts';
import { MongoJobRepository } from './mongo-job-repository.ts';

/**
 * Agenda's jobs in a database that somebody else opened, made the indexes of, and closes. It tells of no new jobs: change
 * streams need a replica set and a connection for each worker, and a look by an index every half second costs less.
 */
export class MongoAgendaBackend implements AgendaBackend {
  readonly name = 'MongoDB';
  readonly ownsConnection = false;
  readonly notificationChannel = undefined;
  readonly repository: MongoJobRepository;

  constructor(database: Database) {
    this.repository = new MongoJobRepository(database);
  }

  /** Resolves if the store answers; otherwise throws. */
  connect(): Promise<void> {
    return this.repository.connect();
  }

  /** The database stays open. */
  disconnect(): Promise<void> {
    return Promise.resolve();
  }
}
