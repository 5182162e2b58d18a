import type { Instant } from '@palimpsest/core';
import { isRefusal } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';

/** What the service knows of an object. */
export interface StoredObject {
  readonly name: string;
  readonly generation: string; // changes whenever the object is written anew
  readonly byteSize: number;
  readonly crc32c: string; // big-endian, in Base64
  readonly storedAt: Instant;
  readonly marks: Readonly<Record<string, unknown>>;
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
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (seconds === undefined) throw new Error('The storage told a time in an unknown form');
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.slice(0, MICROS_DIGITS).padEnd(MICROS_DIGITS, '0'));
};

/** An object as the API describes it. */
export interface Resource {
  readonly name?: unknown;
  readonly generation?: unknown;
  readonly size?: unknown;
  readonly crc32c?: unknown;
  readonly timeCreated?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The object in a resource of the API. Throws where it is not what the API promises. */
export const objectOf = (resource: Resource): StoredObject => {
  const { name, generation, size, crc32c, timeCreated, metadata } = resource;
  const byteSize = Number(size);
  if (
    typeof name !== 'string' ||
    !Number.isSafeInteger(byteSize) ||
    typeof timeCreated !== 'string' ||
    typeof crc32c !== 'string'
  ) {
    throw new Error('The storage described an object in an unknown form');
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

/** What is stored under a name; `undefined` where there is nothing, or no bucket. */
export const findObject = async (
  client: GcsClient,
  name: string,
  totalMs?: number,
): Promise<StoredObject | undefined> => {
  try {
    const [resource] = await client.call((bucket) => bucket.file(name).getMetadata({ fields: OBJECT_FIELDS }), totalMs);
    return objectOf(resource);
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
};
