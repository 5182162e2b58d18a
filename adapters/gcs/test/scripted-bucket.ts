import { randomUUID } from 'node:crypto';
import { CRC32C } from '@google-cloud/storage';

/** What a request is about. */
export type Operation =
  'insert' | 'start' | 'chunk' | 'query' | 'cancel' | 'metadata' | 'media' | 'delete' | 'list' | 'permissions';

export interface Asked {
  readonly operation: Operation;
  readonly url: URL;
  readonly range: string | undefined; // Range or Content-Range
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

interface Session {
  readonly name: string;
  readonly metadata: Marks;
  bytes: Buffer;
  result?: Answer;
}

const QUANTUM = 262_144; // what has arrived of an upload is kept in multiples of this until its end

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
const bare = (status: number, headers = {}): Answer => ({ status, headers, body: Buffer.alloc(0) });
const described = ({ bytes, ...rest }: StoredBytes): object => ({
  ...rest,
  size: String(bytes.length),
  crc32c: crc32cOf(bytes),
});

/**
 * One bucket in memory, with as much of the JSON API of Cloud Storage as the adapter uses. It shows what the adapter sends
 * and how it copes with answers, and is no proof of how the service answers.
 */
export class ScriptedBucket {
  readonly name = 'scripted';
  readonly objects = new Map<string, StoredBytes>();
  readonly sessions = new Map<string, Session>();
  permissions: readonly string[] | undefined; // `undefined`: asked for them, the server knows no such request
  #written = 0;

  /** Stores an object as another program would. */
  place(name: string, bytes: Buffer, metadata: Marks = {}): StoredBytes {
    const generation = String(1_800_000_000_000_000 + ++this.#written);
    const object = { name, generation, timeCreated: '2026-11-21T09:30:12.345678Z', metadata, bytes };
    this.objects.set(name, object);
    return object;
  }

  answer({ operation, url, range, body }: Asked): Answer {
    const query = url.searchParams;
    if (!url.pathname.includes(`/b/${this.name}/`)) return bare(404);
    if (operation === 'permissions') return this.permissions ? json({ permissions: this.permissions }) : bare(501);
    if (operation === 'list')
      return this.#page(query.get('prefix') ?? '', query.get('pageToken') ?? '', Number(query.get('maxResults')));
    if (operation === 'insert') return this.#insert(query.get('name') ?? '', body);
    if (operation === 'start') {
      const id = randomUUID();
      const { metadata } = JSON.parse(body.toString()) as { metadata: Marks };
      this.sessions.set(id, { name: query.get('name') ?? '', metadata, bytes: Buffer.alloc(0) });
      return bare(200, { location: `${url.origin}${url.pathname}?upload_id=${id}` });
    }
    if (operation === 'chunk' || operation === 'query' || operation === 'cancel') {
      return this.#continue(operation, query.get('upload_id') ?? '', range ?? '', body);
    }
    const object = this.objects.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
    if (!object || (query.get('generation') ?? object.generation) !== object.generation) return bare(404);
    if (operation === 'metadata') return json(described(object));
    if (operation === 'media') return this.#media(object, range);
    if ((query.get('ifGenerationMatch') ?? object.generation) !== object.generation) return bare(412);
    this.objects.delete(object.name);
    return bare(204);
  }

  #create(name: string, metadata: Marks, bytes: Buffer): Answer {
    if (this.objects.has(name)) return bare(412);
    return json(described(this.place(name, bytes, metadata)));
  }

  #insert(name: string, body: Buffer): Answer {
    const text = body.toString('latin1');
    const border = text.slice(0, text.indexOf('\r\n'));
    const [, head = '', data = ''] = text
      .split(`${border}\r\n`)
      .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));
    const { metadata, crc32c } = JSON.parse(head) as { metadata: Marks; crc32c: string };
    const bytes = Buffer.from(data.slice(0, data.lastIndexOf(`\r\n${border}--`)), 'latin1');
    return crc32cOf(bytes) === crc32c ? this.#create(name, metadata, bytes) : bare(400);
  }

  #continue(operation: Operation, id: string, range: string, body: Buffer): Answer {
    const session = this.sessions.get(id);
    if (!session) return bare(404);
    if (operation === 'cancel') {
      this.sessions.delete(id);
      return bare(499);
    }
    if (session.result) return session.result;
    const [, from, to, total] = /^bytes (?:\*|(\d+)-(\d+))\/(\*|\d+)$/.exec(range) ?? [];
    if (total === undefined || (from !== undefined && Number(from) > session.bytes.length)) return bare(400);
    if (from !== undefined) session.bytes = Buffer.concat([session.bytes.subarray(0, Number(from)), body]);
    const broken = from !== undefined && body.length < Number(to) - Number(from) + 1;
    if (total === String(session.bytes.length)) {
      session.result = this.#create(session.name, session.metadata, session.bytes);
      return session.result;
    }
    if (broken) session.bytes = session.bytes.subarray(0, session.bytes.length - (session.bytes.length % QUANTUM));
    return bare(308, session.bytes.length === 0 ? {} : { range: `bytes=0-${session.bytes.length - 1}` });
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
    const items = page.flatMap((name) => this.objects.get(name) ?? []).map(described);
    return json({ items, ...(page.length < names.length ? { nextPageToken: page.at(-1) } : {}) });
  }
}
