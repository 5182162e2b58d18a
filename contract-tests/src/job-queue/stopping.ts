import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { AFTER_ERROR_MS, enqueueAll, type JobTest } from './job-test.ts';

/** Tests stopping a worker. */
export const describeStopping = ({ opened, work, recorder, numbersRun, polled }: JobTest): void => {
  describe('when a worker stops', () => {
    /** A worker that runs one job. */
    const runningOne = async () => {
      const { jobs, now } = opened().subject;
      const first = recorder({ concurrency: 1 });
      await jobs.enqueue('read', { n: 3 });
      const worker = await work(jobs, { read: first.handler });
      await eventually('it runs', () => first.runs.length === 1);
      return { jobs, now, first, worker };
    };

    it('waits for the running jobs within the grace period, without aborting them', async () => {
      const { jobs, first, worker } = await runningOne();
      let stopped = false;
      const stopping = worker.stop(600_000).then(() => (stopped = true));
      await polled();
      expect([stopped, first.runs[0]?.signal.aborted]).to.deep.equal([false, false]);
      first.runs[0]?.end('done');
      await stopping;
      expect(first.runs[0]?.signal.aborted).to.equal(false);
      expect(await numbersRun(jobs, 0)).to.deep.equal([]);
    });

    it('aborts all running jobs after the grace period, and waits until they have ended', async () => {
      const { jobs } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 2 });
      await enqueueAll(jobs, 2);
      const worker = await work(jobs, { read: handler });
      await eventually('both run', () => runs.length === 2);
      let stopped = false;
      const stopping = worker.stop(20).then(() => (stopped = true));
      await eventually('both are aborted', () => runs.every(({ signal }) => signal.aborted));
      runs[0]?.end('done');
      await polled();
      expect(stopped).to.equal(false);
      runs[1]?.end('done');
      await stopping;
      expect(await numbersRun(jobs, 0)).to.deep.equal([]);
    });

    it('starts no more jobs, and leaves them to other workers', async () => {
      const { jobs, first, worker } = await runningOne();
      await enqueueAll(jobs, 3);
      const stopping = worker.stop(600_000);
      first.runs[0]?.end('done');
      await stopping;
      await jobs.enqueue('read', { n: 4 });
      await polled();
      expect(first.runs).to.have.length(1);
      expect(await numbersRun(jobs, 4)).to.deep.equal([0, 1, 2, 4]);
    });

    it('leaves a job to other workers when its aborted handler asks for a retry now', async () => {
      const { jobs, now, first, worker } = await runningOne();
      const stopping = worker.stop(0);
      await eventually('it is aborted', () => first.runs[0]?.signal.aborted === true);
      first.runs[0]?.end({ retryAt: now() });
      await stopping;
      expect(await numbersRun(jobs, 1)).to.deep.equal([3]);
    });

    it('keeps a job whose aborted handler throws', async () => {
      const { jobs, first, worker } = await runningOne();
      const stopping = worker.stop(0);
      await eventually('it is aborted', () => first.runs[0]?.signal.aborted === true);
      first.runs[0]?.fail(new Error('aborted'));
      await stopping;
      opened().subject.advance(AFTER_ERROR_MS);
      expect(await numbersRun(jobs, 1)).to.deep.equal([3]);
    });

    it('stops without waiting when nothing runs, also a second time', async () => {
      const { jobs } = opened().subject;
      const worker = await work(jobs, { read: recorder({ concurrency: 1 }).handler });
      await worker.stop(600_000); // longer than the test may take
      await worker.stop(600_000);
    });
  });
};
