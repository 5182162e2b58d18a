import { Piscina } from 'piscina';
import {
  AppError,
  FairSemaphore,
  type ErrorCode,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchQuery,
} from '@palimpsest/core';
import type { DatabaseOptions } from '../open-database.ts';
import { closedError } from '../errors.ts';

// The file is run as it is written, or as it was built.
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js', import.meta.url);
const SEARCHES = 2;
const PUTS = 1;
const IDLE_MS = 60_000;
const SEARCH_TIMEOUT_MS = 10_000;
const PUT_TIMEOUT_MS = 600_000;

/** The database that a thread opens for a task. */
export interface Place {
  readonly file: string; // absolute
  readonly options: DatabaseOptions;
}

export interface SearchTask {
  readonly place: Place;
  readonly ownerId: string;
  readonly query: SearchQuery;
  readonly page: PageRequest;
}

export interface PutTask {
  readonly place: Place;
  readonly entry: SearchEntry;
}

/** The result of a task, or the `AppError` that it threw. */
export type Answer<T> =
  | { readonly result: T }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly cause: unknown } };

/** The timeouts of tasks, which count from the moment when a task gets a thread. */
export interface SearchPoolSettings {
  readonly searchTimeoutMs?: number;
  readonly putTimeoutMs?: number;
}

/**
 * Worker threads for searches and for indexing long texts, so that the process does other work meanwhile. Each kind has
 * its own slots, given fairly to owners; an owner has one search at a time. A task that exceeds its timeout is refused and
 * its thread terminated. Threads start when they are needed and end when they were idle for a minute.
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
    // An idle thread that dies is replaced by the next task. A task that loses its thread throws the error itself.
    this.#pool.on('error', () => {});
  }

  /** Finds what the port promises. A search that exceeds its timeout throws `VALIDATION_ERROR`. */
  search(task: SearchTask): Promise<Page<string>> {
    const tooLong = (): AppError =>
      new AppError('VALIDATION_ERROR', 'q: this search takes too long. Use fewer or rarer words.');
    return this.#searches.run(task.ownerId, () => this.#run('search', task, this.#settings.searchTimeoutMs, tooLong));
  }

  /** Stores an entry. One that exceeds the timeout throws `SERVICE_UNAVAILABLE`. */
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
