import type { JobQueue } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { describeFaults, untilAnswered, type FaultCase } from '../kit/fault-cases.ts';
import type { Opened, Without } from '../kit/harness.ts';
import type { Recorder } from './recorder.ts';
import { describeWithTimeout } from '../kit/runner.ts';

export const jobFaultCases: readonly FaultCase<JobQueue>[] = [
  {
    what: 'adding a job',
    prepare: (jobs) => jobs.enqueue('read', { n: 1 }),
    call: (jobs) => jobs.enqueue('read', { n: 2 }),
    first: undefined,
    look: (jobs) => jobs.countWaiting('read'),
    before: 1,
    after: 2,
    afterRepeat: [3], // the caller knows that it may have been added already
  },
  {
    what: 'the count of jobs',
    prepare: (jobs) => jobs.enqueue('read', { n: 1 }),
    call: (jobs) => jobs.countDue('read'),
    first: 1,
    look: (jobs) => jobs.countWaiting('read'),
    before: 1,
    after: 1,
  },
];

/** What becomes of jobs when the connection fails. `begin` starts a worker that ends with the test. */
export const describeJobFaults = (
  opened: () => Opened<JobQueue>,
  without: Without,
  begin: (jobs: JobQueue) => Promise<Recorder>,
): void => {
  describeFaults(
    opened,
    without,
    (jobs) => jobs,
    jobFaultCases,
    (faults) => {
      describeWithTimeout('a worker', 120_000, () => {
        const hasRun = (numbers: () => readonly number[], n: number): Promise<void> =>
          eventually(`job ${n} has run`, () => opened().subject !== undefined && numbers().includes(n), 60_000);

        it('goes on after its connection was cut', async () => {
          const { subject: jobs } = opened();
          const { numbers } = await begin(jobs);
          await jobs.enqueue('read', { n: 1 });
          await hasRun(numbers, 1);
          await faults().dropConnections();
          await untilAnswered(() => jobs.enqueue('read', { n: 2 }));
          await hasRun(numbers, 2);
          expect(numbers().filter((n) => n === 1)).to.have.length(1);
        });

        it('goes on after the backend was out of reach for a while', async () => {
          const { subject: jobs } = opened();
          const { numbers } = await begin(jobs);
          await faults().failNext(Infinity);
          await faults().dropConnections();
          // One that knows that the backend is away has missed at least one look for jobs.
          await jobs.countWaiting('read').catch(() => undefined);
          await faults().restore();
          await untilAnswered(() => jobs.enqueue('read', { n: 1 }));
          await hasRun(numbers, 1);
          await eventually('nothing waits', async () => (await jobs.countWaiting('read')) === 0, 60_000);
        });
      });
    },
  );
};
