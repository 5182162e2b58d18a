import { Piscina } from 'piscina';
import {
  AppError,
  FairSemaphore,
  SEARCH_TIMEOUT_MS,
  type ErrorCode,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchQuery,
} from '@palimpsest/core';
import type { DatabaseOptions } from '../open-database.ts';
import { closedError } from '../errors.ts';

// The TypeScript source, or the compiled file in a published package.
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js', import.meta.url);
const SEARCHES = 2;
const PUTS = 1;
const IDLE_MS = 60_000;
const PUT_TIMEOUT_MS = 600_000;

/** The database that a thread opens for a task, and the options. */
export interface DatabaseLocation {
  readonly file: string; // absolute
  readonly options: DatabaseOptions;
}

export interface SearchTask {
  readonly location: DatabaseLocation;
  readonly ownerId: string;
  readonly query: SearchQuery;
  readonly page: PageRequest;
}

export interface PutTask {
  readonly location: DatabaseLocation;
  readonly entry: SearchEntry;
}

/** The result of a task, or the `AppError` that it threw. */
export type Answer<T> =
  | { readonly result: T }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly cause: unknown } };

/** The timeouts of tasks. They start when a task gets a thread. */
export interface SearchPoolSettings {
  readonly searchTimeoutMs?: number;
  readonly putTimeoutMs?: number;
}

/**
 * Worker threads for searches and for indexing long texts, so that they do not block the process. Each kind of task has
 * its own slots, which owners get fairly. An owner has one search at a time. If a task exceeds its timeout, it throws
 * and its thread is terminated. Threads start when they are needed, and end after an idle minute.
 */
export class SearchPool {
  readonly #pool = new Piscina({
    filename: WORKER.href,
    minThreads: 0,
    maxThreads: SEARCHES + PUTS,
    idleTimeout: IDLE_MS,
  });
  readonly #searches = new FairSemaphore({ slots: SEARCHES, slotsPerOwner: 1 });
  readonly #puts = new FairSemaphore({ slots: PUTS });
  readonly #settings: Required<SearchPoolSettings>;
  #isClosed = false;

  constructor({ searchTimeoutMs = SEARCH_TIMEOUT_MS, putTimeoutMs = PUT_TIMEOUT_MS }: SearchPoolSettings = {}) {
    this.#settings = { searchTimeoutMs, putTimeoutMs };
    // Ignores errors of idle threads, because the next task starts a new thread. If a thread dies during a task, the
    // task throws the error.
    this.#pool.on('error', () => {});
  }

  /** Runs a search. Throws `VALIDATION_ERROR` if it exceeds its timeout. */
  search(task: SearchTask): Promise<Page<string>> {
    const tooLong = (): AppError =>
      new AppError('VALIDATION_ERROR', 'q: this search takes too long. Use fewer or rarer words.');
    return this.#searches.run(task.ownerId, () => this.#run('search', task, this.#settings.searchTimeoutMs, tooLong));
  }

  /** Stores an entry. Throws `SERVICE_UNAVAILABLE` if this exceeds the timeout. */
  put(task: PutTask): Promise<void> {
    const tooLong = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'Indexing a long text takes too long.');
    return this.#puts.run(task.entry.ownerId, () => this.#run('put', task, this.#settings.putTimeoutMs, tooLong));
  }

  /** Terminates all threads. Running, waiting and later tasks throw `SERVICE_UNAVAILABLE`. Safe to repeat. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#searches.close(closedError());
    this.#puts.close(closedError());
    await this.#pool.destroy();
  }

  async #run<T>(
    name: 'search' | 'put',
    task: SearchTask | PutTask,
    timeoutMs: number,
    tooLong: () => AppError,
  ): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer: Answer<T> = await this.#pool.run(task, { name, signal });
      if ('result' in answer) return answer.result;
      throw new AppError(answer.refusal.code, answer.refusal.message, { cause: answer.refusal.cause });
    } catch (error) {
      if (this.#isClosed) throw closedError();
      throw signal.aborted ? tooLong() : error;
    }
  }
}
