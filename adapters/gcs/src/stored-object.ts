import type { Instant } from '@palimpsest/core';
import { isRefusal } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';

/** The metadata of an object. */
export interface StoredObject {
  readonly name: string;
  readonly generation: string; // changes whenever the object is overwritten
  readonly byteSize: number;
  readonly crc32c: string; // big-endian, in Base64
  readonly storedAt: Instant;
  readonly marks: Readonly<Record<string, unknown>>;
}

/** Custom metadata: the key of the blob. It distinguishes the objects of this store from those of other programs. */
export const KEY_MARK = 'palimpsest-key';
/** Custom metadata: the id of the put that wrote the object. */
export const PUT_MARK = 'palimpsest-put';

/** The requested fields of a resource. */
export const OBJECT_FIELDS = 'name,generation,size,crc32c,timeCreated,metadata';

const MICROS_DIGITS = 6;

/** Parses RFC 3339 with any number of fractional digits. */
const instantOf = (text: string): Instant => {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (seconds === undefined) throw new Error('The storage returned a time in an unknown format');
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.slice(0, MICROS_DIGITS).padEnd(MICROS_DIGITS, '0'));
};

/** An object in an answer of the API. */
export interface Resource {
  readonly name?: unknown;
  readonly generation?: unknown;
  readonly size?: unknown;
  readonly crc32c?: unknown;
  readonly timeCreated?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Parses an object of the API. Throws `Error` if a field is missing or has another type. */
export const objectOf = (resource: Resource): StoredObject => {
  const { name, generation, size, crc32c, timeCreated, metadata } = resource;
  const byteSize = Number(size);
  if (
    typeof name !== 'string' ||
    !Number.isSafeInteger(byteSize) ||
    typeof timeCreated !== 'string' ||
    typeof crc32c !== 'string'
  ) {
    throw new Error('The storage returned an object in an unknown format');
  }
  return {
    name,
    generation: String(generation),
    byteSize,
    crc32c,
    storedAt: instantOf(timeCreated),
    marks: metadata ?? {},
  };
};

/** The object with this name; `undefined` if the object or the bucket does not exist. */
export const findObject = async (client: GcsClient, name: string): Promise<StoredObject | undefined> => {
  try {
    const [resource] = await client.call((bucket) => bucket.file(name).getMetadata({ fields: OBJECT_FIELDS }));
    return objectOf(resource);
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
};
