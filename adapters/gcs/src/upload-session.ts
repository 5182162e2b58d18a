import { isRefusal, TransientFault, unavailable } from './errors.ts';
import { refusalOf, type GcsAnswer, type GcsApi } from './gcs-api.ts';
import { Patience, retried } from './retry.ts';
import { parseObject, type StoredObject } from './stored-object.ts';

const RESUME = 308; // there is more to come; `Range` tells what has arrived

/** How much of the upload has arrived. Without a `Range`, nothing. */
const arrived = ({ headers }: GcsAnswer): number => {
  const last = /^bytes=0-(\d+)$/.exec(headers.get('range') ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
};

/** A resumable upload (https://cloud.google.com/storage/docs/performing-resumable-uploads#chunked-upload). */
export class UploadSession {
  readonly #api: GcsApi;
  readonly #url: URL;

  constructor(api: GcsApi, url: URL) {
    this.#api = api;
    this.#url = url;
  }

  /**
   * Sends the bytes that follow the first `offset` ones. The object when it is stored, which it is not before its `last`
   * bytes with the checksum of all have come; else `undefined`. Where an attempt broke, asks what has arrived and sends
   * what has not. Throws `SERVICE_UNAVAILABLE` when the time is up or the session is lost.
   */
  async send(bytes: Uint8Array<ArrayBuffer>, offset: number, last: boolean, crc32c: string): Promise<StoredObject | undefined> {
    const end = offset + bytes.length;
    const total = last ? String(end) : '*';
    let at = offset;
    let sure = true; // that the first `at` bytes have arrived, and no more
    return await retried(new Patience(this.#api.timing), async (signal) => {
      for (;;) {
        const before = at;
        const asking = !sure;
        sure = false;
        const answer = asking
          ? await this.#put(signal, 'bytes */*')
          : at < end
            ? await this.#put(signal, `bytes ${at}-${end - 1}/${total}`, bytes.subarray(at - offset), last ? crc32c : undefined)
            : await this.#put(signal, `bytes */${total}`, undefined, crc32c);
        if (answer.status !== RESUME) return parseObject(answer.text);
        at = arrived(answer);
        if (at < offset || at > end) throw unavailable(new Error('The storage has lost a part of an upload'));
        sure = true;
        if (at === end && !last) return undefined;
        if (at === before && !asking) throw new TransientFault('The storage took nothing of what was sent');
      }
    });
  }

  /** Gives the upload up; what has come of it is removed. Throws `SERVICE_UNAVAILABLE` soon if that cannot be said. */
  async cancel(): Promise<void> {
    // 499 is how the service agrees; whatever else it answers, there is nothing more to be done.
    await retried(new Patience(this.#api.timing, this.#api.timing.checkMs), async (signal) => {
      await this.#api.read(await this.#api.send({ method: 'DELETE', url: this.#url }, signal), signal);
    });
  }

  async #put(signal: AbortSignal, range: string, body: Uint8Array<ArrayBuffer> = new Uint8Array(), crc32c?: string): Promise<GcsAnswer> {
    const headers = { 'content-range': range, ...(crc32c === undefined ? {} : { 'x-goog-hash': `crc32c=${crc32c}` }) };
    const answer = await this.#api.read(await this.#api.send({ method: 'PUT', url: this.#url, headers, body }, signal), signal);
    if (answer.status < 300 || answer.status === RESUME) return answer;
    const refusal = refusalOf(answer);
    throw isRefusal(refusal, 404, 410) ? unavailable(refusal) : refusal;
  }
}

/** Begins an upload of what must not be there yet. Throws a refusal with 412 if it is. */
export const startUpload = async (api: GcsApi, name: string, metadata: object): Promise<UploadSession> => {
  const answer = await api.call({
    method: 'POST',
    url: api.uploadUrl({ uploadType: 'resumable', name, ifGenerationMatch: '0' }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error('The storage began an upload and did not tell where');
  return new UploadSession(api, new URL(location));
};
