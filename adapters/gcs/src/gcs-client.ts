import type { Bucket, Storage } from '@google-cloud/storage';
import { faultOf } from './errors.ts';
import { Patience, retried } from './retry.ts';
import { stoppedBy } from './stoppable-requests.ts';
import type { GcsTiming } from './timing.ts';

const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
};

/** The client for one bucket, with deadlines. */
export class GcsClient {
  readonly timing: GcsTiming;
  readonly #bucket: Bucket;
  readonly #credentialsFor: string | undefined;

  /**
   * What is made again is made again here, as what the client makes again it makes after a second or more, and where its
   * `totalTimeout` is over it never tells. So `storage` has `autoRetry: false`. `credentialed` says that it gives credentials.
   */
  constructor(storage: Storage, bucket: string, timing: GcsTiming, credentialed: boolean) {
    this.timing = timing;
    this.#bucket = storage.bucket(bucket);
    this.#credentialsFor = credentialed ? new URL(storage.apiEndpoint).origin : undefined;
    // The client destroys the agent, and with it all connections, wherever one download ends early. That of Node, which it
    // takes for what is not `forever`, it leaves alone; it keeps connections as well.
    storage.interceptors.push({ request: (options) => ({ uri: '', ...options, forever: false }) });
  }

  /**
   * What `work` resolves with, one attempt, which ends with `signal`. Throws a `TransientFault` where another one may do
   * better, or a `GcsRefusal`.
   */
  async attempt<T>(signal: AbortSignal, work: (bucket: Bucket) => Promise<T>): Promise<T> {
    try {
      return await untilAborted(
        stoppedBy(signal, () => work(this.#bucket)),
        signal,
      );
    } catch (error) {
      throw faultOf(error);
    }
  }

  /** As `attempt`, as often as there is time for it. Throws `SERVICE_UNAVAILABLE` when it is over. */
  async call<T>(work: (bucket: Bucket) => Promise<T>, totalMs?: number): Promise<T> {
    return await retried(new Patience(this.timing, totalMs), async (signal) => await this.attempt(signal, work));
  }

  /** Whether requests may go there: the client gives its credentials wherever it is led. */
  trusts(url: string): boolean {
    return this.#credentialsFor === undefined || new URL(url).origin === this.#credentialsFor;
  }
}
