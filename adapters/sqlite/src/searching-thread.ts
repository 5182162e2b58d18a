import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError, type Page, type PageRequest, type SearchQuery } from '@palimpsest/core';
import type { DatabaseOptions } from './database.ts';
import { closing, restored } from './thread-errors.ts';

// Run as it is written, or as it was built.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './search-thread.ts' : './search-thread.js', import.meta.url);

/** What the thread is begun with. */
export interface SearchThreadOptions {
  readonly file: string; // absolute
  readonly options: DatabaseOptions;
}

/** What the thread is given. */
export interface SearchTask {
  readonly ownerId: string;
  readonly query: SearchQuery;
  readonly page: PageRequest;
}

/** What the thread answers to a task, both in this order. */
export type SearchThreadReport = { readonly kind: 'begun' } | { readonly kind: 'found'; readonly found: Page<string> };

const tooLong = (): AppError =>
  new AppError('VALIDATION_ERROR', 'q: this search takes too long. Use fewer or rarer words.');

/** A thread with a connection of its own that does one search at a time. It begins with the first, and anew after it died. */
export class SearchingThread {
  readonly #options: SearchThreadOptions;
  readonly #deadlineMs: number;
  #worker: Worker | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: SearchThreadOptions, deadlineMs: number) {
    this.#options = options;
    this.#deadlineMs = deadlineMs;
  }

  /** Resolves when the thread that died last is gone, and the next search can begin. */
  get ready(): Promise<unknown> {
    return this.#ending;
  }

  /** What is found, or `VALIDATION_ERROR` after the deadline, which counts from when the thread begins with it. */
  search(task: SearchTask): Promise<Page<string>> {
    if (this.#isClosed) return Promise.reject(closing());
    const worker = this.#worker ?? this.#begin();
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Page<string>>();
    const state: { timer?: NodeJS.Timeout } = {};
    const refuse = async (): Promise<void> => {
      // Where this thread was held up itself, the answer may be here and not be read yet.
      await nextTurn();
      reject(tooLong());
    };
    const onMessage = (report: SearchThreadReport): void => {
      if (report.kind === 'found') resolve(report.found);
      else state.timer = setTimeout(() => void refuse(), this.#deadlineMs);
    };
    const onExit = (): void =>
      reject(this.#isClosed ? closing() : new Error('The thread that searches ended before it was done'));
    const onError = (error: unknown): void => reject(restored(error));
    worker.on('message', onMessage).once('error', onError).once('exit', onExit);
    worker.postMessage(task, []);
    return promise
      .catch((error: unknown) => {
        this.#end(worker);
        throw error;
      })
      .finally(() => {
        clearTimeout(state.timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        worker.unref();
      });
  }

  /** Ends when the thread is gone. What it does not find by then throws `SERVICE_UNAVAILABLE`. Safe to repeat. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ending;
  }

  #begin(): Worker {
    const worker = new Worker(THREAD, { workerData: this.#options });
    // A thread that dies while it has nothing to do is replaced; without this, its error would end the process.
    worker.once('error', () => this.#end(worker)).once('exit', () => this.#end(worker));
    this.#worker = worker;
    return worker;
  }

  #end(worker = this.#worker): void {
    if (worker === undefined || worker !== this.#worker) return;
    this.#ending = worker.terminate();
    this.#worker = undefined;
  }
}
