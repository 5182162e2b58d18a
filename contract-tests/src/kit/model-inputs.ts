import type { Random } from './random.ts';
import { at, sampleId, unknownIds } from './samples.ts';

/** In how many seconds everything happens. */
export const DAY = 100;

/** A moment within {@link DAY}. */
export const aMoment = (random: Random): number => at(random.below(DAY));

const IDS = ['$ne', '0', 'a.b', sampleId(1), sampleId(2), sampleId(3), sampleId(10), 'é'];

/** How many ids {@link anId} gives. */
export const ID_COUNT = IDS.length;

/** One of a few ids, some of which careless stores take for something else. */
export const anId = (random: Random): string => random.pick(IDS);

/** As {@link anId}, and now and then one that nothing has. */
export const anyId = (random: Random): string => (random.oneIn(5) ? random.pick(unknownIds) : anId(random));

/** Owners of documents. */
export const OWNERS: readonly string[] = ['owner-1', 'owner-2', 'owner-11', '{"$gt":""}'];

/** Documents that have pages or revisions. */
export const DOCUMENTS: readonly string[] = ['document-1', 'document-2', '$ne', 'constructor'];

const ACCOUNTS = ['account-1', 'account-2', '$ne', '{"$gt":""}', sampleId(5)];

/** One of a few accounts. */
export const anAccountId = (random: Random): string => random.pick(ACCOUNTS);

/** As {@link anAccountId}, and now and then one that does not exist. */
export const anyAccountId = (random: Random): string =>
  random.oneIn(5) ? random.pick(unknownIds) : anAccountId(random);

/** How many of the calls resolve with `true`. */
export const howManyTrue = async (calls: readonly Promise<boolean>[]): Promise<number> =>
  (await Promise.all(calls)).filter(Boolean).length;
