import type { JobQueue } from '@palimpsest/core';
import { eventually } from '../kit/expectations.ts';
import { describeFaults, untilAnswered, type FaultCase } from '../kit/fault-cases.ts';
import type { Opened, Without } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import type { Recorder } from './recorder.ts';
import type { TimedJobQueue } from './timed-job-queue.ts';

/** Runs all jobs that are due, one after the other, and returns their numbers. */
const runAll = async (jobs: JobQueue): Promise<readonly number[]> => {
  const numbers: number[] = [];
  const last = Promise.withResolvers<void>();
  await jobs.enqueue('read', { isLast: true });
  const worker = await jobs.work(
    {
      read: {
        concurrency: 1,
        run: async ({ payload }) => {
          if (payload['isLast'] === true) last.resolve();
          else numbers.push(Number(payload['n']));
          return 'done';
        },
      },
    },
    () => undefined,
  );
  await last.promise;
  await worker.stop(20_000);
  return numbers;
};

export const jobFaultCases: readonly FaultCase<JobQueue>[] = [
  {
    title: 'adding a job',
    prepare: (jobs) => jobs.enqueue('read', { n: 1 }),
    call: (jobs) => jobs.enqueue('read', { n: 2 }),
    firstOutcome: undefined,
    readState: runAll,
    stateAfter: [1, 2],
    statesAfterRepeat: [[1, 2, 2]], // the failed call may have added the job too
  },
];

/** Tests the queue and its workers when the connection fails. `begin` starts a worker that stops after the test. */
export const describeJobFaults = (
  opened: () => Opened<TimedJobQueue>,
  without: Without,
  begin: (jobs: JobQueue) => Promise<Recorder>,
): void => {
  describeFaults(
    opened,
    without,
    ({ jobs }) => jobs,
    jobFaultCases,
    (faults) => {
      describeWithTimeout('a worker', 120_000, () => {
        const hasRun = (numbers: () => readonly number[], n: number): Promise<void> =>
          eventually(`job ${n} has run`, () => opened().subject !== undefined && numbers().includes(n), 60_000);

        it('runs new jobs after its connection was cut', async () => {
          const { jobs } = opened().subject;
          const { numbers } = await begin(jobs);
          await jobs.enqueue('read', { n: 1 });
          await hasRun(numbers, 1);
          await faults().dropConnections();
          await untilAnswered(() => jobs.enqueue('read', { n: 2 }));
          await hasRun(numbers, 2);
        });

        it('runs new jobs after the backend was unreachable for a while', async () => {
          const { jobs } = opened().subject;
          const { numbers } = await begin(jobs);
          await faults().failNext(Infinity);
          await faults().dropConnections();
          // When this call has failed, the worker has missed at least one poll.
          await jobs.enqueue('read', { n: 0 }).catch(() => undefined);
          await faults().restore();
          await untilAnswered(() => jobs.enqueue('read', { n: 1 }));
          await hasRun(numbers, 1);
        });
      });
    },
  );
};
