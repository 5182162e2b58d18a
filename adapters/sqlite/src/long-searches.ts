import type { Page } from '@palimpsest/core';
import type { DatabaseOptions } from './database.ts';
import { SearchingThread, type SearchTask } from './searching-thread.ts';
import { closing } from './thread-errors.ts';

const THREADS = 2;
const DEADLINE_MS = 5000;

interface Waiting {
  readonly task: SearchTask;
  readonly resolve: (found: Page<string> | Promise<Page<string>>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Searches in two threads with connections of their own, so that the process goes on meanwhile. They begin when they are
 * needed. Owners take turns, each with one search at a time, so that nobody's searches hold up another's by more than one.
 */
export class LongSearches {
  readonly #idle: SearchingThread[];
  readonly #threads: readonly SearchingThread[];
  readonly #waiting = new Map<string, Waiting[]>(); // of each owner; who comes first has waited longest for a turn
  readonly #searching = new Set<string>(); // owners
  #isClosed = false;

  /** `file` is absolute. */
  constructor(file: string, options: DatabaseOptions, deadlineMs = DEADLINE_MS) {
    this.#threads = Array.from({ length: THREADS }, () => new SearchingThread({ file, options }, deadlineMs));
    this.#idle = [...this.#threads];
  }

  /** What `SqliteSearchIndex.search` finds. A search that takes a thread longer than the deadline throws `VALIDATION_ERROR`. */
  search(task: SearchTask): Promise<Page<string>> {
    if (this.#isClosed) return Promise.reject(closing());
    const { promise, resolve, reject } = Promise.withResolvers<Page<string>>();
    const waiting = this.#waiting.get(task.ownerId) ?? [];
    this.#waiting.set(task.ownerId, [...waiting, { task, resolve, reject }]);
    this.#searchNext();
    return promise;
  }

  /** Ends when no thread is left. What is not found by then throws `SERVICE_UNAVAILABLE`. Safe to repeat. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closing());
    this.#waiting.clear();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #searchNext(): void {
    const ownerId = [...this.#waiting.keys()].find((id) => !this.#searching.has(id));
    if (ownerId === undefined) return;
    const thread = this.#idle.pop();
    if (thread === undefined) return;
    const [next, ...others] = this.#waiting.get(ownerId) ?? [];
    if (others.length === 0) this.#waiting.delete(ownerId);
    else this.#waiting.set(ownerId, others);
    if (next === undefined) return;
    this.#searching.add(ownerId);
    const search = thread.search(next.task);
    next.resolve(search);
    void this.#freeAfter(search, thread, ownerId);
  }

  // A search that was stopped is over when its thread is gone, so that there are never more threads than these.
  async #freeAfter(search: Promise<unknown>, thread: SearchingThread, ownerId: string): Promise<void> {
    await search.catch(() => {}); // its caller's to know
    await thread.ready;
    this.#searching.delete(ownerId);
    const others = this.#waiting.get(ownerId);
    if (others !== undefined) {
      this.#waiting.delete(ownerId);
      this.#waiting.set(ownerId, others); // at the end of the line
    }
    this.#idle.push(thread);
    this.#searchNext();
  }
}
