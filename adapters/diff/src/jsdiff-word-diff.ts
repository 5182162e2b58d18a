import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairSemaphore, untilAborted, type Cancellation, type TextChange, type WordDiff } from '@palimpsest/core';
import { compareTexts, type TextPair } from './compare-texts.ts';
import { unpackChanges } from './packed-changes.ts';

// The source file in tests, the built file otherwise.
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './compare-thread.ts' : './compare-thread.js',
  import.meta.url,
);

// A worker thread takes 0.05 to 0.2 s to start. A comparison of a few milliseconds runs without one.
const SHORT_LENGTH = 65_536; // UTF-16 code units of both texts
const SHORT_LIMITS = { fewChanges: 150 };
const OWNER = 'all'; // comparisons have no owners, so all share one queue

/**
 * Compares texts word by word with jsdiff (https://github.com/kpdecker/jsdiff). Short texts with few changes are
 * compared in the calling thread. All other texts are compared in a worker thread, one comparison after the other, so
 * that they do not block the process. An aborted comparison is removed from the queue, or its thread is terminated.
 *
 * Up to 200 deleted and inserted words are found exactly, up to 1,500 if the time allows. Texts with more changes are
 * divided at runs of words that occur once in both, and each part is compared separately. After one second, the rest
 * counts as replaced. Two texts of 5 MiB take between 0.5 and 2 s, and up to about 250 MB of memory.
 */
export class JsdiffWordDiff implements WordDiff {
  readonly #semaphore = new FairSemaphore({ slots: 1 });

  async compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]> {
    signal.throwIfAborted();
    if (from === to) return from === '' ? [] : [{ op: 'equal', text: from }];
    const texts = { from, to };
    if (from.length + to.length <= SHORT_LENGTH) {
      const { changes, isExact } = compareTexts(texts, SHORT_LIMITS);
      if (isExact) return changes;
    }
    const packed = await this.#semaphore.run(OWNER, () => this.#compareInThread(texts, signal), signal);
    return unpackChanges(packed, texts, signal);
  }

  async #compareInThread(texts: TextPair, signal: Cancellation): Promise<Int32Array> {
    const thread = new Worker(THREAD, { workerData: texts });
    try {
      // `once` also rejects with an error of the thread. A thread that exits without a message was terminated.
      const ended = once(thread, 'exit').then(() => {
        throw new Error('The thread that compares texts ended without a result');
      });
      const [packed] = await untilAborted(Promise.race([once(thread, 'message'), ended]), signal);
      return packed;
    } finally {
      await thread.terminate();
    }
  }
}
