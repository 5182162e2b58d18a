import type { Random } from './random.ts';
import { at, sampleId, unknownIds } from './samples.ts';

/** All times of a model lie within this number of seconds. */
export const PERIOD_SECONDS = 100;

/** A random time within {@link PERIOD_SECONDS}. */
export const aTime = (random: Random): number => at(random.below(PERIOD_SECONDS));

const IDS = ['$ne', '0', 'a.b', sampleId(1), sampleId(2), sampleId(3), sampleId(10), 'é'];

/** The number of ids that {@link anId} can return. */
export const ID_COUNT = IDS.length;

/** One of a few ids, some of them unusual. */
export const anId = (random: Random): string => random.pick(IDS);

/** Like {@link anId}, sometimes an id that no record has. */
export const anyId = (random: Random): string => (random.oneIn(5) ? random.pick(unknownIds) : anId(random));

/** Owner ids. */
export const OWNERS: readonly string[] = ['owner-1', 'owner-2', 'owner-11', '{"$gt":""}'];

/** Ids of documents with pages or revisions. */
export const DOCUMENTS: readonly string[] = ['document-1', 'document-2', '$ne', 'constructor'];

const ACCOUNTS = ['account-1', 'account-2', '$ne', '{"$gt":""}', sampleId(5)];

/** One of a few accounts. */
export const anAccountId = (random: Random): string => random.pick(ACCOUNTS);

/** Like {@link anAccountId}, sometimes an id that no account has. */
export const anyAccountId = (random: Random): string =>
  random.oneIn(5) ? random.pick(unknownIds) : anAccountId(random);

/** The number of calls that resolve with `true`. */
export const countTrue = async (calls: readonly Promise<boolean>[]): Promise<number> =>
  (await Promise.all(calls)).filter(Boolean).length;
