import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Cancellation, TextChange, WordDiff } from '@palimpsest/core';
import { compareTexts, type TextPair } from './compare-texts.ts';
import { unpackChanges } from './packed-changes.ts';
import { Turns } from './turns.ts';

// Run as it is written, or as it was built.
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './compare-thread.ts' : './compare-thread.js',
  import.meta.url,
);

// A thread takes 0.05 to 0.2 s to begin. What is done in a few milliseconds is done without.
const SHORT_LENGTH = 65_536; // UTF-16 code units of both texts
const SHORT_LIMITS = { fewChanges: 150 };

/**
 * Texts compared word by word with jsdiff (https://github.com/kpdecker/jsdiff): short ones with few changes at once, all
 * others in a thread of its own, so that the process goes on meanwhile; there one comparison after the other. Who gives up
 * leaves the queue, or has the thread stopped.
 *
 * Up to 200 words taken out and put in are found exactly, up to 1,500 if there is the time. Where there are more, the texts are divided at runs of words
 * that both have once, and what lies between is compared by itself. What is not found within a second counts as replaced.
 * Two texts of 5 MiB take between half a second and two, and up to about 250 MB until they are compared.
 */
export class JsdiffWordDiff implements WordDiff {
  readonly #turns = new Turns();

  async compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]> {
    signal.throwIfAborted();
    if (from === to) return from === '' ? [] : [{ op: 'equal', text: from }];
    const texts = { from, to };
    if (from.length + to.length <= SHORT_LENGTH) {
      const { changes, isExact } = compareTexts(texts, SHORT_LIMITS);
      if (isExact) return changes;
    }
    return unpackChanges(await this.#turns.take(() => this.#compareInThread(texts, signal), signal), texts, signal);
  }

  async #compareInThread(texts: TextPair, signal: Cancellation): Promise<Int32Array> {
    const thread = new Worker(THREAD, { workerData: texts });
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      // An error of the thread rejects this. A thread that ends without either has been stopped from outside.
      const ended = once(thread, 'exit').then(() => {
        throw new Error('The thread that compares texts ended without a result');
      });
      const [packed] = await Promise.race([once(thread, 'message'), ended, aborted.promise]);
      return packed;
    } finally {
      signal.removeEventListener('abort', abort);
      await thread.terminate();
    }
  }
}
