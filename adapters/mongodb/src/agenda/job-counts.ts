import type { JobsOverview } from 'agenda';
import type { Document } from 'mongodb';

type CountedState = Exclude<keyof JobsOverview, 'name' | 'total'>;

/** How many jobs of one name are in one state. */
export interface JobCount extends Document {
  readonly _id: { readonly name: string; readonly state: CountedState };
  readonly count: number;
}

const isSet = (path: string): Document => ({ $gt: [path, null] });

// The first condition that holds tells the state, as in `computeJobState` of Agenda.
const stateAt = (now: Date): Document => {
  const conditions: readonly [Document, CountedState][] = [
    [{ $eq: ['$disabled', true] }, 'paused'],
    [isSet('$lockedAt'), 'running'],
    [{ $and: [isSet('$failedAt'), { $gte: ['$failedAt', '$lastFinishedAt'] }] }, 'failed'],
    [{ $and: [isSet('$repeatInterval'), { $not: [{ $in: ['$repeatInterval', ['', 0]] }] }] }, 'repeating'],
    [{ $gt: ['$nextRunAt', now] }, 'scheduled'],
    [isSet('$nextRunAt'), 'queued'],
  ];
  return conditions.reduceRight<Document>(
    (otherwise, [condition, state]) => ({ $cond: [condition, state, otherwise] }),
    { $literal: 'completed' },
  );
};

/** How many jobs of each name are in each state at `now`, from the index of jobs. */
export const countByState = (now: Date): Document[] => [
  // Every name is one of these; that names are asked for at all has the index serve it.
  { $match: { name: { $gte: '' } } },
  { $group: { _id: { name: '$name', state: stateAt(now) }, count: { $sum: 1 } } },
  { $sort: { '_id.name': 1 } },
];

/** The overview from what {@link countByState} gave. */
export const overviewOf = (counts: readonly JobCount[]): JobsOverview[] => {
  const none = { total: 0, running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };
  const byName = new Map<string, JobsOverview>();
  for (const { _id, count } of counts) {
    const overview = byName.get(_id.name) ?? { name: _id.name, ...none };
    overview[_id.state] = count;
    overview.total += count;
    byName.set(_id.name, overview);
  }
  return [...byName.values()];
};
