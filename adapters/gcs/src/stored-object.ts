import type { Instant } from '@palimpsest/core';

/** What the service knows of an object. */
export interface StoredObject {
  readonly name: string;
  readonly generation: string; // changes whenever the object is written anew
  readonly byteSize: number;
  readonly crc32c: string; // big-endian, in Base64
  readonly storedAt: Instant;
  readonly marks: Readonly<Record<string, string>>;
}

/** The key that an object was stored under, as its custom metadata has it; tells objects of this store from all others. */
export const KEY_MARK = 'palimpsest-key';
/** The put that wrote an object. */
export const PUT_MARK = 'palimpsest-put';

/** The fields of a resource that are asked for. */
export const OBJECT_FIELDS = 'name,generation,size,crc32c,timeCreated,metadata';

const MICROS_DIGITS = 6;

/** RFC 3339 with any number of digits after the second. */
const instantOf = (text: string): Instant => {
  const [, seconds, fraction = '', zone] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (seconds === undefined) throw new Error('The storage told a time in an unknown form');
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.slice(0, MICROS_DIGITS).padEnd(MICROS_DIGITS, '0'));
};

interface Resource {
  readonly name?: unknown;
  readonly generation?: unknown;
  readonly size?: unknown;
  readonly crc32c?: unknown;
  readonly timeCreated?: unknown;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** The object in a resource of the API. Throws where it is not what the API promises. */
export const objectOf = (resource: Resource): StoredObject => {
  const { name, generation, size, crc32c, timeCreated, metadata } = resource;
  const byteSize = Number(size);
  if (typeof name !== 'string' || !Number.isSafeInteger(byteSize) || typeof timeCreated !== 'string' || typeof crc32c !== 'string') {
    throw new Error('The storage described an object in an unknown form');
  }
  return { name, generation: String(generation), byteSize, crc32c, storedAt: instantOf(timeCreated), marks: metadata ?? {} };
};

export const parseObject = (json: string): StoredObject => objectOf(JSON.parse(json) as Resource);

/** A page of a listing, and where the next one begins. */
export const parsePage = (json: string): { readonly objects: readonly StoredObject[]; readonly next: string | undefined } => {
  const { items = [], nextPageToken } = JSON.parse(json) as { items?: readonly Resource[]; nextPageToken?: string };
  return { objects: items.map(objectOf), next: nextPageToken === '' ? undefined : nextPageToken };
};
