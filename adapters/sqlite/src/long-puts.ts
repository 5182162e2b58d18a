import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SearchEntry } from '@palimpsest/core';
import type { DatabaseOptions } from './database.ts';
import { closing, restored } from './thread-errors.ts';

// Run as it is written, or as it was built.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './put-thread.ts' : './put-thread.js', import.meta.url);

/** What the thread is given. */
export interface PutTask {
  readonly file: string; // absolute
  readonly options: DatabaseOptions;
  readonly entry: SearchEntry;
}

/**
 * Puts entries in a thread with a connection of its own, one after the other, so that the process goes on meanwhile. What
 * a put throws is thrown here. If a thread dies, that put alone throws an `Error`.
 */
export class LongPuts {
  readonly #file: string;
  readonly #options: DatabaseOptions;
  #last: Promise<unknown> = Promise.resolve();
  #thread: Worker | undefined;
  #isClosed = false;

  constructor(file: string, options: DatabaseOptions) {
    this.#file = file;
    this.#options = options;
  }

  put(entry: SearchEntry): Promise<void> {
    const put = this.#last.then(() => this.#putInThread(entry));
    // Who comes next waits for the end of this one, good or bad; its failure is its caller's.
    this.#last = put.catch(() => {});
    return put;
  }

  /** Ends when no thread is left. What was not put by then throws `SERVICE_UNAVAILABLE`. Safe to repeat. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
    await this.#last;
  }

  async #putInThread(entry: SearchEntry): Promise<void> {
    if (this.#isClosed) throw closing();
    const task: PutTask = { file: this.#file, options: this.#options, entry };
    const thread = new Worker(THREAD, { workerData: task });
    this.#thread = thread;
    // The exit code does not tell: it is 0 for a thread that was stopped before it began.
    const state = { isStored: false };
    thread.once('message', () => {
      state.isStored = true;
    });
    try {
      // An error of the thread rejects this.
      await once(thread, 'exit');
      if (state.isStored) return;
    } catch (error) {
      throw restored(error);
    } finally {
      this.#thread = undefined;
      await thread.terminate();
    }
    throw this.#isClosed ? closing() : new Error('The thread that indexes a long text ended before it was done');
  }
}
