import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { describeWith, describeWithKill, type Opened, type Without } from '../kit/harness.ts';
import { done, enqueueAll, numbersTo, type JobTest } from './job-test.ts';
import type { TimedJobQueue } from './timed-job-queue.ts';

/** Tests jobs that are shared between workers, between handles, and with the queue after a restart. */
export const describeSharedJobs = (
  opened: () => Opened<TimedJobQueue>,
  without: Without,
  { work, recorder, numbersRun, polled }: JobTest,
): void => {
  it('shares the jobs between two workers and runs each once', async () => {
    const { jobs } = opened().subject;
    const [first, second] = [recorder({ concurrency: 2 }, done), recorder({ concurrency: 2 }, done)];
    await Promise.all([work(jobs, { read: first.handler }), work(jobs, { read: second.handler })]);
    await Promise.all(numbersTo(50).map((n) => jobs.enqueue('read', { n })));
    await eventually('all have run', () => first.runs.length + second.runs.length >= 50);
    await polled();
    expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(50));
  });

  describeWith('openSecond', opened, without, (openSecond) => {
    it('runs jobs that were added by the other handle, before and after the worker started', async () => {
      const { jobs: here } = opened().subject;
      const { jobs: there } = await openSecond();
      await enqueueAll(here, 2);
      const { handler, numbers } = recorder({ concurrency: 5 }, done);
      await work(there, { read: handler });
      await eventually('both have run', () => numbers().length >= 2);
      await here.enqueue('read', { n: 2 });
      await eventually('the third has run', () => numbers().length >= 3);
      expect(numbers()).to.deep.equal([0, 1, 2]);
    });

    it('shares the jobs between the workers of both handles and runs each once', async () => {
      const { jobs: here } = opened().subject;
      const { jobs: there } = await openSecond();
      const [first, second] = [recorder({ concurrency: 2 }), recorder({ concurrency: 2 })];
      await Promise.all([work(here, { read: first.handler }), work(there, { read: second.handler })]);
      await Promise.all(numbersTo(40).map((n) => (n % 2 === 0 ? here : there).enqueue('read', { n })));
      await eventually('both work', () => first.running() === 2 && second.running() === 2);
      await eventually('all have run', () => {
        for (const run of [...first.runs, ...second.runs]) run.end('done');
        return first.runs.length + second.runs.length >= 40;
      });
      await polled();
      expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(40));
    });

    it('runs a recurring job once per interval in one of the workers of both handles', async () => {
      const { jobs: here, advance } = opened().subject;
      const { jobs: there } = await openSecond();
      const { handler, runs, mostAtOnce } = recorder({ concurrency: 2, everyMs: 10_000 });
      await Promise.all([work(here, { cleanup: handler }), work(there, { cleanup: handler })]);
      for (let count = 1; count <= 3; count++) {
        await eventually(`run ${count} has started`, () => runs.length >= count);
        await polled();
        expect(runs).to.have.length(count);
        runs[count - 1]?.end('done');
        await polled();
        expect(runs).to.have.length(count);
        advance(10_000);
      }
      expect(mostAtOnce()).to.equal(1);
    });

    it('does not run a job again while its handler runs, even if it takes minutes', async () => {
      const { jobs: here, advance } = opened().subject;
      const { jobs: there } = await openSecond();
      const { handler, runs } = recorder({ concurrency: 1 });
      await here.enqueue('read', { n: 1 });
      await work(here, { read: handler });
      await eventually('it runs', () => runs.length === 1);
      await work(there, { read: handler });
      for (let seconds = 0; seconds < 150; seconds += 15) {
        advance(15_000);
        await polled();
      }
      expect(runs).to.have.length(1);
    });

    describeWithKill(opened, without, (kill) => {
      for (const recurrence of [{}, { everyMs: 3_600_000 }]) {
        const isRecurring = 'everyMs' in recurrence;
        it(`lets another process run its ${isRecurring ? 'recurring ' : ''}job again within a minute`, async () => {
          const { jobs, advance } = opened().subject;
          const first = recorder({ concurrency: 1, ...recurrence });
          await work(jobs, { read: first.handler });
          if (!isRecurring) await jobs.enqueue('read', { n: 1 });
          await eventually('it runs', () => first.runs.length === 1);
          await kill();
          const second = recorder({ concurrency: 1, ...recurrence }, done);
          await work((await openSecond()).jobs, { read: second.handler });
          advance(60_000);
          await eventually('it runs again', () => second.runs.length > 0);
          await polled();
          expect(second.runs.map(({ payload }) => payload)).to.deep.equal([isRecurring ? {} : { n: 1 }]);
        });
      }
    });
  });

  describeWith('reopen', opened, without, (reopen) => {
    it('still has the jobs', async () => {
      await enqueueAll(opened().subject.jobs, 2);
      const { jobs } = await reopen();
      expect(await numbersRun(jobs, 2)).to.deep.equal([0, 1]);
    });

    it('runs a recurring job when its interval is over, not earlier', async () => {
      const { jobs: before } = opened().subject;
      const first = recorder({ concurrency: 1, everyMs: 10_000 }, done);
      const worker = await work(before, { cleanup: first.handler });
      await eventually('it has run', () => first.runs.length > 0);
      await worker.stop(20_000);
      const { jobs, advance } = await reopen();
      const second = recorder({ concurrency: 1, everyMs: 10_000 }, done);
      await work(jobs, { cleanup: second.handler });
      advance(9_999);
      await polled();
      expect(second.runs).to.have.length(0);
      advance(1);
      await eventually('it has run again', () => second.runs.length > 0);
    });
  });
};
