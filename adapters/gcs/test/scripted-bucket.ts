import { CRC32C } from '@google-cloud/storage';

/** The kind of a request. */
export type Operation = 'insert' | 'metadata' | 'media' | 'delete' | 'list' | 'permissions';

/** A request to the bucket. */
export interface BucketRequest {
  readonly operation: Operation;
  readonly url: URL;
  readonly range: string | undefined;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

type Marks = Readonly<Record<string, string>>;

interface StoredBytes {
  readonly name: string;
  readonly generation: string;
  readonly timeCreated: string;
  readonly metadata: Marks;
  readonly bytes: Buffer;
}

const ADDED_AT = '2026-11-21T09:30:12.345678Z';

const crc32cOf = (bytes: Buffer): string => {
  const checksum = new CRC32C();
  checksum.update(bytes);
  return checksum.toString();
};

const json = (value: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: Buffer.from(JSON.stringify(value)),
});
const emptyAnswer = (status: number, headers = {}): Answer => ({ status, headers, body: Buffer.alloc(0) });
const metadataOf = ({ bytes, ...rest }: StoredBytes): object => ({
  ...rest,
  size: String(bytes.length),
  crc32c: crc32cOf(bytes),
});

/**
 * One bucket in memory, with the part of the JSON API of Cloud Storage that the adapter uses. It tests what the adapter
 * sends and how it handles answers. It does not prove how the real service answers.
 */
export class ScriptedBucket {
  readonly name = 'scripted';
  readonly objects = new Map<string, StoredBytes>();
  readonly insertedChecksums: string[] = []; // the checksums in the `insert` requests
  permissions: readonly string[] | undefined; // `undefined`: the server does not know the request
  #written = 0;

  /** Adds an object directly, as another program could. */
  addObject(name: string, bytes: Buffer, metadata: Marks = {}, timeCreated = ADDED_AT): StoredBytes {
    const generation = String(1_800_000_000_000_000 + ++this.#written);
    const object = { name, generation, timeCreated, metadata, bytes };
    this.objects.set(name, object);
    return object;
  }

  answer({ operation, url, range, body }: BucketRequest): Answer {
    const query = url.searchParams;
    if (!url.pathname.includes(`/b/${this.name}/`)) return emptyAnswer(404);
    if (operation === 'permissions')
      return this.permissions ? json({ permissions: this.permissions }) : emptyAnswer(501);
    if (operation === 'list')
      return this.#page(query.get('prefix') ?? '', query.get('pageToken') ?? '', Number(query.get('maxResults')));
    if (operation === 'insert') return this.#insert(query.get('name') ?? '', body);
    const object = this.objects.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
    if (!object || (query.get('generation') ?? object.generation) !== object.generation) return emptyAnswer(404);
    if (operation === 'metadata') return json(metadataOf(object));
    if (operation === 'media') return this.#media(object, range);
    if ((query.get('ifGenerationMatch') ?? object.generation) !== object.generation) return emptyAnswer(412);
    this.objects.delete(object.name);
    return emptyAnswer(204);
  }

  #create(name: string, metadata: Marks, bytes: Buffer): Answer {
    if (this.objects.has(name)) return emptyAnswer(412);
    return json(metadataOf(this.addObject(name, bytes, metadata, new Date().toISOString())));
  }

  #insert(name: string, body: Buffer): Answer {
    const text = body.toString('latin1');
    const border = text.slice(0, text.indexOf('\r\n'));
    const [, head = '', data = ''] = text
      .split(`${border}\r\n`)
      .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));
    const { metadata, crc32c } = JSON.parse(head) as { metadata: Marks; crc32c: string };
    const bytes = Buffer.from(data.slice(0, data.lastIndexOf(`\r\n${border}--`)), 'latin1');
    this.insertedChecksums.push(crc32c);
    return crc32cOf(bytes) === crc32c ? this.#create(name, metadata, bytes) : emptyAnswer(400);
  }

  #media({ bytes, generation }: StoredBytes, range: string | undefined): Answer {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const body = Buffer.from(from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1));
    const headers = { 'content-length': body.length, 'x-goog-generation': generation };
    if (from === undefined) return { status: 200, headers, body };
    return { status: 206, headers: { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` }, body };
  }

  #page(prefix: string, after: string, size: number): Answer {
    const names = Array.from(this.objects.keys())
      .filter((name) => name.startsWith(prefix) && name > after)
      .toSorted();
    const page = names.slice(0, size);
    const items = page.flatMap((name) => this.objects.get(name) ?? []).map(metadataOf);
    return json({ items, ...(page.length < names.length ? { nextPageToken: page.at(-1) } : {}) });
  }
}
