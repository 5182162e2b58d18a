import { GcsRefusal, isOutOfReach, isTransientStatus, TransientFault } from './errors.ts';
import { Patience, retried } from './retry.ts';
import type { GcsTiming } from './timing.ts';

/** A request of the JSON API. */
export interface GcsRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

/** An answer that was read to its end. */
export interface GcsAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Gives the headers that authorise a request; `undefined` for a service that asks for none. */
export type Authorize = (() => Promise<Headers>) | undefined;

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

const reasonIn = (text: string): string => {
  const reason = /"reason":\s*"([A-Za-z]{1,60})"/.exec(text)?.[1];
  return reason ?? '';
};

export const refusalOf = ({ status, text }: Pick<GcsAnswer, 'status' | 'text'>): GcsRefusal => new GcsRefusal(status, reasonIn(text), text.slice(0, 2000));

/**
 * The JSON API of one bucket (https://cloud.google.com/storage/docs/json_api/v1). Requests are made here and not by the
 * methods of the client, which know no time-out, destroy the connections that all downloads share when one of them stops
 * early, and lose a stored object together with its answer; of the client are the endpoint and the credentials.
 */
export class GcsApi {
  readonly timing: GcsTiming;
  readonly #endpoint: string;
  readonly #bucket: string;
  readonly #authorize: Authorize;

  constructor(endpoint: string, bucket: string, authorize: Authorize, timing: GcsTiming) {
    this.#endpoint = endpoint;
    this.#bucket = bucket;
    this.#authorize = authorize;
    this.timing = timing;
  }

  /** The address of an object, or of what else the bucket has (`o`, `iam/testPermissions`). */
  url(path: string, query: Readonly<Record<string, string>> = {}): URL {
    return new URL(`${this.#endpoint}/storage/v1/b/${this.#bucket}/${path}?${new URLSearchParams(query).toString()}`);
  }

  objectUrl(name: string, query: Readonly<Record<string, string>> = {}): URL {
    return this.url(`o/${encodeURIComponent(name)}`, query);
  }

  uploadUrl(query: Readonly<Record<string, string>>): URL {
    return new URL(`${this.#endpoint}/upload/storage/v1/b/${this.#bucket}/o?${new URLSearchParams(query).toString()}`);
  }

  /**
   * Makes one attempt. The answer's body is still to be read. Throws {@link TransientFault} where there is no answer, or
   * one that says to come again.
   */
  async send({ method = 'GET', url, headers = {}, body }: GcsRequest, signal: AbortSignal): Promise<Response> {
    const all = await this.#authorized(url, signal);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    all.set('accept-encoding', 'identity'); // bytes as they are stored
    const response = await this.#orTransient(signal, () =>
      fetch(url, { method, headers: all, signal, redirect: 'manual', ...(body === undefined ? {} : { body }) }),
    );
    if (!isTransientStatus(response.status)) return response;
    const { text } = await this.read(response, signal);
    throw new TransientFault(`The storage answered ${response.status}`, { cause: text.slice(0, 2000) });
  }

  async read(response: Response, signal: AbortSignal): Promise<GcsAnswer> {
    const text = await this.#orTransient(signal, () => response.text());
    return { status: response.status, headers: response.headers, text };
  }

  /** The next bytes of a body, `undefined` at its end. */
  async readNext(body: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { value } = await this.#orTransient(signal, () => body.read());
    return value;
  }

  /** The answer to a request, after as many attempts as there is time for. Refusals that are not `accepted` are thrown. */
  async call(request: GcsRequest, accepted: readonly number[] = [], totalMs?: number): Promise<GcsAnswer> {
    return await retried(new Patience(this.timing, totalMs), async (signal) => {
      const answer = await this.read(await this.send(request, signal), signal);
      if (answer.status >= 300 && !accepted.includes(answer.status)) throw refusalOf(answer);
      return answer;
    });
  }

  /** Credentials are for the endpoint alone, wherever an answer leads. */
  async #authorized(url: URL, signal: AbortSignal): Promise<Headers> {
    if (this.#authorize === undefined || url.origin !== new URL(this.#endpoint).origin) return new Headers();
    try {
      return new Headers(await untilAborted(this.#authorize(), signal));
    } catch (error) {
      if (isOutOfReach(error)) throw new TransientFault('Credentials cannot be had', { cause: error });
      throw error;
    }
  }

  /** `fetch` and its bodies throw `TypeError` for every broken connection, and what a signal was aborted with. */
  async #orTransient<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || error instanceof TypeError) throw new TransientFault('The storage gave no answer', { cause: error });
      throw error;
    }
  }
}
