import { BaseNotificationChannel, toJobId, type JobNotification } from 'agenda';
import type { JobNotices } from './job-notices.ts';
import type { SqliteJobRepository } from './sqlite-job-repository.ts';

const LOOK_EVERY_MS = 200;
// Agenda looks for itself once in a while, so what is due later than this need not be told.
const AHEAD_MS = 1_000;

/**
 * Tells Agenda of jobs that are to be run: at once what this connection stored, and within a fifth of a second what
 * another one committed, which SQLite shows in `PRAGMA data_version`. It looks only while it is connected, and keeps no
 * process alive.
 */
export class SqliteNotificationChannel extends BaseNotificationChannel {
  readonly #repository: SqliteJobRepository;
  readonly #notices: JobNotices;
  readonly #dataVersion: () => Promise<number>;
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #seen: number | undefined;

  constructor(repository: SqliteJobRepository, notices: JobNotices, dataVersion: () => Promise<number>) {
    super();
    this.#repository = repository;
    this.#notices = notices;
    this.#dataVersion = dataVersion;
  }

  override connect(): Promise<void> {
    if (this.#stopListening) return Promise.resolve();
    this.#stopListening = this.#notices.listen((notice) => void this.notifyHandlers(notice));
    this.setState('connected');
    this.#lookLater();
    return Promise.resolve();
  }

  override disconnect(): Promise<void> {
    this.#stopListening?.();
    this.#stopListening = undefined;
    clearTimeout(this.#timer);
    this.setState('disconnected');
    return Promise.resolve();
  }

  override publish(notification: JobNotification): Promise<void> {
    this.#notices.tell(notification);
    return Promise.resolve();
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    try {
      const version = await this.#dataVersion();
      if (version !== this.#seen) {
        for (const { name, id } of await this.#repository.namesDue(new Date(Date.now() + AHEAD_MS))) {
          await this.notifyHandlers({
            jobId: toJobId(id),
            jobName: name,
            nextRunAt: null,
            priority: 0,
            timestamp: new Date(),
          });
        }
        this.#seen = version;
      }
    } catch (error) {
      // An 'error' event that nobody listens to would end the process. The next look is due soon anyway.
      if (this.listenerCount('error') > 0) this.emit('error', error);
    }
    if (this.#stopListening) this.#lookLater();
  }
}
