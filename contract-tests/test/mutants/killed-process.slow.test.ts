import { plusMs } from '@palimpsest/core';
import { MemoryStore } from '@palimpsest/memory';
import { describeJobQueue, NO_CONNECTION, type Open, type TimedJobQueue } from '../../src/index.ts';
import { openJobQueue } from './memory-job-queue.ts';
import { describeEach } from './mutant.ts';

const LOCK_LIFETIME_MS = 45_000;

/** Opens a queue whose `kill` lets the locks of those running jobs expire for which `expires` returns true. */
const openKillable =
  (expires: (job: { readonly isRecurring: boolean }) => boolean): Open<TimedJobQueue> =>
  async () => {
    const store = new MemoryStore();
    const subject = openJobQueue(store);
    return {
      subject,
      openSecond: async () => openJobQueue(store),
      kill: async () => {
        for (const job of [...store.jobs].filter((each) => each.running && expires(each))) {
          job.notBefore = plusMs(subject.now(), LOCK_LIFETIME_MS);
          job.running = false;
        }
      },
      close: async () => {},
    };
  };

describeEach(
  'JobQueue about killed processes',
  (open) => describeJobQueue('subject', open, { reopen: 'memory ends with the process', faults: NO_CONNECTION }),
  openKillable(() => true),
  {
    'never runs the job of a killed process again': openKillable(({ isRecurring }) => isRecurring),
    'never runs the recurring job of a killed process again': openKillable(({ isRecurring }) => !isRecurring),
  },
  'after its process was killed',
);
