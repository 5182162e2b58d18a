import type { JobsOverview, JobsSort, JobWithState, RemoveJobsOptions } from 'agenda';

type Criteria = { readonly [K in Exclude<keyof RemoveJobsOptions, 'data'>]: RemoveJobsOptions[K] | undefined };

/** The WHERE clause for criteria of Agenda and its values; empty if there are none. Empty lists are none. */
export const whereOf = ({ id, ids, name, names, notNames }: Partial<Criteria>): { where: string; values: string[] } => {
  const terms: string[] = [];
  const values: string[] = [];
  const oneOf = (column: string, list: readonly string[], not = '') => {
    terms.push(`${column} ${not} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(list));
  };
  if (id !== undefined) oneOf('job_id', [id]);
  else if (ids && ids.length > 0) oneOf('job_id', ids);
  if (name !== undefined) oneOf('name', [name]);
  else if (names && names.length > 0) oneOf('name', names);
  else if (notNames && notNames.length > 0) oneOf('name', notNames, 'NOT');
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
};

const SORTED = ['nextRunAt', 'lastRunAt', 'lastFinishedAt', 'priority', 'name', 'data'] as const;
const LAST_TO_RUN_FIRST: JobsSort = { nextRunAt: 'desc', lastRunAt: 'desc' };

const valueOf = (job: JobWithState, key: (typeof SORTED)[number]): number | string => {
  const value = job[key];
  if (value === undefined || value === null) return -Infinity;
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
};

/** The order that `sort` asks for; without it the next to run comes last, as in Agenda's other stores. */
export const comparing = (sort: JobsSort | undefined): ((a: JobWithState, b: JobWithState) => number) => {
  const wanted = sort && SORTED.some((key) => sort[key] !== undefined) ? sort : LAST_TO_RUN_FIRST;
  // The first of several keys weighs most, and an object keeps the order in which it was written.
  const keys = Object.keys(wanted);
  const sorted = SORTED.filter((key) => wanted[key] !== undefined).sort((a, b) => keys.indexOf(a) - keys.indexOf(b));
  return (a, b) => {
    for (const key of sorted) {
      const [left, right] = [valueOf(a, key), valueOf(b, key)];
      if (left !== right) return left < right === (wanted[key] === 'asc') ? -1 : 1;
    }
    return 0;
  };
};

/** How many jobs of each name are in each state, as `computeJobState` of Agenda tells it. `?1` is now. */
export const COUNT_BY_STATE = `
  SELECT name, state, count(*) AS count FROM (
    SELECT name, CASE
      WHEN disabled = 1 THEN 'paused'
      WHEN locked_at_ms IS NOT NULL THEN 'running'
      WHEN record ->> 'failedAt' >= coalesce(record ->> 'lastFinishedAt', 0) THEN 'failed'
      WHEN coalesce(record ->> 'repeatInterval', '') NOT IN ('', 0) THEN 'repeating'
      WHEN next_run_at_ms > ?1 THEN 'scheduled'
      WHEN next_run_at_ms <= ?1 THEN 'queued'
      ELSE 'completed' END AS state
    FROM agenda_jobs)
  GROUP BY name, state ORDER BY name`;

/** The overview from the rows of {@link COUNT_BY_STATE}. */
export const overviewOf = (
  rows: readonly {
    readonly name: string;
    readonly state: Exclude<keyof JobsOverview, 'name' | 'total'>;
    readonly count: number;
  }[],
): JobsOverview[] => {
  const none = { total: 0, running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };
  const byName = new Map<string, JobsOverview>();
  for (const { name, state, count } of rows) {
    const overview = byName.get(name) ?? { name, ...none };
    overview[state] = count;
    overview.total += count;
    byName.set(name, overview);
  }
  return [...byName.values()];
};
