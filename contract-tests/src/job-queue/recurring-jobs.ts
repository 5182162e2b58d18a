import { plusMs } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { done, type JobTest } from './job-test.ts';

const INTERVAL_MS = 10_000;

/** Tests the promises of a `JobQueue` about handlers with `everyMs`. */
export const describeRecurringJobs = ({ opened, errors, work, recorder, polled }: JobTest): void => {
  describe('with a recurring job', () => {
    it('runs it at once when it is new, then each time that its interval is over', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1, everyMs: INTERVAL_MS }, done);
      await work(jobs, { cleanup: handler });
      for (let count = 1; count <= 3; count++) {
        await eventually(`run ${count} has started`, () => runs.length >= count);
        await polled();
        advance(INTERVAL_MS - 1);
        await polled();
        expect(runs).to.have.length(count);
        advance(1);
      }
      expect(runs[0]?.payload).to.deep.equal({});
      expect(errors).to.deep.equal([]);
    });

    it('runs it once per interval, although two workers have its handler', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 3, everyMs: INTERVAL_MS }, done);
      await work(jobs, { cleanup: handler });
      await work(jobs, { cleanup: handler });
      for (let count = 1; count <= 3; count++) {
        await eventually(`run ${count} has started`, () => runs.length >= count);
        await polled();
        expect(runs).to.have.length(count);
        advance(INTERVAL_MS);
      }
    });

    it('never runs it twice at once: the next run starts at the end of one that took longer than the interval', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs, running } = recorder({ concurrency: 3, everyMs: INTERVAL_MS });
      await work(jobs, { cleanup: handler });
      await work(jobs, { cleanup: handler });
      await eventually('it runs', () => runs.length === 1);
      advance(1.5 * INTERVAL_MS);
      await polled();
      expect(runs).to.have.length(1);
      runs[0]?.end('done');
      await eventually('it runs again', () => runs.length === 2);
      expect(running()).to.equal(1);
    });

    it('runs it once after a time without workers, even if many intervals have passed', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1, everyMs: INTERVAL_MS }, done);
      const worker = await work(jobs, { cleanup: handler });
      await eventually('it has run', () => runs.length === 1);
      await worker.stop(20_000);
      advance(10 * INTERVAL_MS);
      await polled();
      expect(runs).to.have.length(1);
      await work(jobs, { cleanup: handler });
      await eventually('it has run again', () => runs.length === 2);
      await polled();
      expect(runs).to.have.length(2);
    });

    it('uses a shorter interval as soon as a worker starts with it', async () => {
      const { jobs, advance } = opened().subject;
      const daily = recorder({ concurrency: 1, everyMs: 86_400_000 }, done);
      const worker = await work(jobs, { cleanup: daily.handler });
      await eventually('it has run', () => daily.runs.length === 1);
      await worker.stop(20_000);
      const { handler, runs } = recorder({ concurrency: 1, everyMs: INTERVAL_MS }, done);
      await work(jobs, { cleanup: handler });
      await polled();
      expect(runs).to.have.length(0);
      for (const count of [1, 2]) {
        advance(INTERVAL_MS);
        await eventually(`run ${count} has started`, () => runs.length === count);
        await polled();
      }
    });

    it('uses a longer interval from the next run on', async () => {
      const { jobs, advance } = opened().subject;
      const often = recorder({ concurrency: 1, everyMs: INTERVAL_MS }, done);
      const worker = await work(jobs, { cleanup: often.handler });
      await eventually('it has run', () => often.runs.length === 1);
      await worker.stop(20_000);
      const { handler, runs } = recorder({ concurrency: 1, everyMs: 86_400_000 }, done);
      await work(jobs, { cleanup: handler });
      advance(INTERVAL_MS);
      await eventually('it has run', () => runs.length === 1);
      await polled();
      advance(86_400_000 - 1);
      await polled();
      expect(runs).to.have.length(1);
      advance(1);
      await eventually('it has run again', () => runs.length === 2);
    });

    it('runs it again after an error, and continues with the interval', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1, everyMs: 3_600_000 }, () => {
        if (runs.length === 1) throw new Error('the handler failed');
        return 'done';
      });
      await work(jobs, { cleanup: handler });
      await eventually('it has failed', () => errors.length === 1);
      await polled();
      advance(15_000);
      await eventually('it has run again', () => runs.length === 2);
      await polled();
      advance(3_600_000);
      await eventually('it has run after the interval', () => runs.length === 3);
    });

    it('runs it again at its retry time, and continues with the interval', async () => {
      const { jobs, now, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1, everyMs: 3_600_000 }, () =>
        runs.length === 1 ? { retryAt: plusMs(now(), 60_000) } : 'done',
      );
      await work(jobs, { cleanup: handler });
      await eventually('it has run', () => runs.length === 1);
      await polled();
      advance(59_999);
      await polled();
      expect(runs).to.have.length(1);
      advance(1);
      await eventually('it has run again', () => runs.length === 2);
      await polled();
      advance(3_600_000);
      await eventually('it has run after the interval', () => runs.length === 3);
    });

    it('runs other jobs of the same kind beside it, and does not count them as its runs', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1, everyMs: INTERVAL_MS }, done);
      await work(jobs, { cleanup: handler });
      await eventually('it has run', () => runs.length === 1);
      await jobs.enqueue('cleanup', { n: 1 });
      await eventually('the other job has run', () => runs.length === 2);
      expect(runs[1]?.payload).to.deep.equal({ n: 1 });
      advance(INTERVAL_MS);
      await eventually('it has run again', () => runs.length === 3);
      await polled();
      expect(runs.map(({ payload }) => payload)).to.deep.equal([{}, { n: 1 }, {}]);
    });
  });
};
