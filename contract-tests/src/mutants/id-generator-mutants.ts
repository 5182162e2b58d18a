import { randomUUID } from 'node:crypto';
import type { IdGenerator } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';

const opening =
  (make: () => IdGenerator): Open<IdGenerator> =>
  async () => ({ subject: make(), openSecond: async () => make(), close: async () => {} });

const formatted = (ms: number, count: number, tail: string): string => {
  const time = ms.toString(16).padStart(12, '0');
  const counter = count.toString(16).padStart(8, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.slice(0, 3)}-8${counter.slice(3, 6)}-${counter.slice(6)}${tail}`;
};

interface Parts {
  readonly begin: number; // of the counter
  readonly tail: () => string; // ten hexadecimal digits
  readonly shape: (id: string) => string;
}

const sound: Parts = { begin: 0, tail: () => randomUUID().slice(-10), shape: (id) => id };

/** A counter of 32 bits behind the time of its making. */
const counting =
  ({ begin, tail, shape }: Parts) =>
  (): IdGenerator => {
    const ms = Date.now();
    let count = begin;
    return { next: () => shape(formatted(ms, count++, tail())) };
  };

/** The generator that the mutants are made of passes the suite. */
export const plainIdGenerator = opening(counting(sound));

/** Broken generators, by what is wrong with them. */
export const idGeneratorMutants: Readonly<Record<string, Open<IdGenerator>>> = {
  'makes one id': opening(() => {
    const id = formatted(Date.now(), 1, '0123456789');
    return { next: () => id };
  }),
  'makes random UUIDs of version 4': opening(() => ({ next: () => randomUUID() })),
  'is random within a millisecond': opening(() => ({ next: () => formatted(Date.now(), 0, sound.tail()) })),
  'sorts newest first': opening(() => {
    let count = 0xffff_ffff;
    return { next: () => formatted(1_795_253_412_000, count--, sound.tail()) };
  }),
  'starts its counter anew after 4,096': opening(() => {
    let count = 0;
    return { next: () => formatted(1_795_253_412_000, count++ % 4096, sound.tail()) };
  }),
  'writes upper case': opening(counting({ ...sound, shape: (id) => id.toUpperCase() })),
  'leaves out the hyphens': opening(counting({ ...sound, shape: (id) => id.replaceAll('-', '') })),
  'adds braces': opening(counting({ ...sound, shape: (id) => `{${id}}` })),
  'has the wrong variant': opening(counting({ ...sound, shape: (id) => `${id.slice(0, 19)}c${id.slice(20)}` })),
  'makes the same ids in every process': opening(() => {
    let count = 0;
    return { next: () => formatted(1_795_253_412_000, count++, '0123456789') };
  }),
};
