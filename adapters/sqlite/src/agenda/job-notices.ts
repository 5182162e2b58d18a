import type { JobNotification } from 'agenda';

/** Tells everybody on one connection of new jobs, at once. */
export class JobNotices {
  readonly #listeners = new Set<(notice: JobNotification) => void>();

  /** Calls `listener` for every notice from now on, until the function given back is called. */
  listen(listener: (notice: JobNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Passes a notice on. Listeners do not throw. */
  tell(notice: JobNotification): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
