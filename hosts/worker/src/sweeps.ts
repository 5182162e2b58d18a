import type { Composition } from '@palimpsest/composition';

const SWEEP_EVERY_MS = 10_000;
const BLOB_SWEEP_EVERY_MS = 3_600_000;
const INDEX_SWEEP_EVERY_MS = 24 * 3_600_000;

/** Something that is done again and again until it is stopped. */
export interface Recurring {
  stop(): Promise<void>;
}

/** Does `task` now and then `everyMs` after each end. A failure goes to `onError` and does not end it. */
const repeat = (task: () => Promise<void>, everyMs: number, onError: (error: unknown) => void): Recurring => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  const round = (): void => {
    running = task()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(round, everyMs);
      });
  };
  round();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};

/** Puts right what a process that died left half done: at the start, every few seconds, the files every
 * hour, and the index every day. */
export const startSweeps = ({ useCases, log }: Pick<Composition, 'useCases' | 'log'>): Recurring => {
  const failed = (error: unknown): void => log.warn({ err: error }, 'sweep failed; it is done again');
  const stopping = new AbortController();
  const sweeps = [
    repeat(
      async () => {
        const report = await useCases.sweep();
        if (Object.values(report).some((count: number) => count > 0)) log.info(report, 'swept');
      },
      SWEEP_EVERY_MS,
      failed,
    ),
    repeat(
      async () => {
        const removed = await useCases.sweepBlobs();
        if (removed > 0) log.info({ removed }, 'files without a document removed');
      },
      BLOB_SWEEP_EVERY_MS,
      failed,
    ),
    repeat(
      async () => {
        const report = await useCases.sweepIndex(stopping.signal);
        if (report.indexed + report.forgotten > 0) log.info(report, 'the search index was put right');
      },
      INDEX_SWEEP_EVERY_MS,
      failed,
    ),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(sweeps.map((each) => each.stop()));
    },
  };
};
