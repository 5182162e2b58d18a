import type { DebounceOptions, JobParameters } from 'agenda';

type Timing = Pick<JobParameters, 'nextRunAt'> & { debounceStartedAt?: Date | undefined };

const later = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/**
 * When a job that is saved at `now` is to run, as Agenda documents its `debounce`. Trailing: `delay` after the last save,
 * but never later than `maxWait` after the first. Leading: at once, and saves within `delay` of that change nothing.
 */
export const debounced = (
  { delay, maxWait, strategy }: DebounceOptions,
  wanted: Date | null | undefined,
  existing: JobParameters | undefined,
  now: Date,
): Timing => {
  // Of a job that has run, the window is over.
  const startedAt = existing?.nextRunAt ? existing.debounceStartedAt : undefined;
  if (strategy === 'leading') {
    const windowStart = existing?.debounceStartedAt;
    if (existing && windowStart && now < later(windowStart, delay)) {
      return { nextRunAt: existing.nextRunAt, debounceStartedAt: windowStart };
    }
    return { nextRunAt: wanted ?? now, debounceStartedAt: now };
  }
  const first = startedAt ?? now;
  const quiet = later(now, delay);
  if (maxWait === undefined) return { nextRunAt: quiet, debounceStartedAt: first };
  const latest = later(first, maxWait);
  if (now >= latest) return { nextRunAt: now, debounceStartedAt: undefined };
  return { nextRunAt: quiet < latest ? quiet : latest, debounceStartedAt: first };
};
