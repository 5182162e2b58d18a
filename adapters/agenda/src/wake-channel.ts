import { BaseNotificationChannel, toJobId, type JobNotification, type NotificationChannel } from 'agenda';

/**
 * Has Agenda look for jobs of a kind now: when its worker is woken, and when the backend's own channel, if it has one,
 * tells of a job. Every notice counts as one of a job that is due, as Agenda forgets those of later ones.
 */
export class WakeChannel extends BaseNotificationChannel {
  readonly #source: NotificationChannel | undefined;
  readonly #due = new Set<string>();
  #unsubscribe: (() => void) | undefined;

  constructor(source: NotificationChannel | undefined) {
    super();
    this.#source = source;
  }

  override async connect(): Promise<void> {
    this.#unsubscribe = this.#source?.subscribe((notice) => this.wake(notice.jobName));
    await this.#source?.connect();
    this.setState('connected');
  }

  /** Hears no more of the backend's channel, which stays connected for those who share it. */
  override disconnect(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.setState('disconnected');
    return Promise.resolve();
  }

  override publish(notification: JobNotification): Promise<void> {
    this.wake(notification.jobName);
    return Promise.resolve();
  }

  /** Has Agenda look for jobs of this kind soon; many calls at once make one look. */
  wake(kind: string): void {
    if (this.#due.has(kind)) return;
    this.#due.add(kind);
    setImmediate(() => {
      this.#due.delete(kind);
      void this.notifyHandlers({
        jobId: toJobId(''),
        jobName: kind,
        nextRunAt: null,
        priority: 0,
        timestamp: new Date(),
      });
    });
  }
}
