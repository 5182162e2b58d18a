import { plusMs, type JobQueue, type JobWorker } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { MANY, strangeTexts } from '../kit/samples.ts';
import { describeJobFaults } from './faults.ts';
import { recorder as newRecorder, type Recorder } from './recorder.ts';
import { describeRecurringJobs } from './recurring-jobs.ts';
import { waitBriefly, type JobTest, type TimedJobQueue } from './timed-job-queue.ts';

export type { TimedJobQueue };

const DAY_MS = 86_400_000;
const AFTER_ERROR_MS = 15_000; // more than the `few seconds` of the promise

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const enqueueAll = async (jobs: JobQueue, count: number): Promise<void> => {
  for (const n of numbersTo(count)) await jobs.enqueue('read', { n });
};

const done = (): 'done' => 'done';

/**
 * Tests the promises of every `JobQueue`. The test moves the clock, so the suite does not wait for due times. It does not
 * test that the job of a dead process runs again, because that needs a process that dies.
 */
export const describeJobQueue = (name: string, open: Open<TimedJobQueue>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a JobQueue`, 30_000, () => {
    const errors: { readonly error: unknown; readonly kind: string }[] = [];
    const workers: JobWorker[] = [];
    const recorders: Recorder[] = [];

    const work: JobTest['work'] = async (jobs, handlers) => {
      const worker = await jobs.work(handlers, (error, kind) => errors.push({ error, kind }));
      workers.push(worker);
      return worker;
    };

    const recorder: JobTest['recorder'] = (...given) => {
      const made = newRecorder(...given);
      recorders.push(made);
      return made;
    };

    beforeEach(() => void errors.splice(0));
    const stopTheWorkers = async (): Promise<void> => {
      const stopped = workers.splice(0).map((worker) => worker.stop(0));
      for (const { runs } of recorders.splice(0)) for (const run of runs) run.end('done');
      await Promise.all(stopped);
    };
    const opened = openForEach(open, stopTheWorkers);

    /** The numbers of all jobs that a new worker runs, when `count` have run and no more follow. */
    const numbersRun = async (jobs: JobQueue, count: number, kind = 'read'): Promise<readonly number[]> => {
      const { handler, numbers } = recorder({ concurrency: 5 }, done);
      const worker = await work(jobs, { [kind]: handler });
      await eventually(`${count} jobs have run`, () => numbers().length >= count);
      await waitBriefly();
      await worker.stop(20_000);
      return numbers();
    };

    it('runs each job once, also the jobs that were added before the worker started', async () => {
      const { jobs } = opened().subject;
      await enqueueAll(jobs, 10);
      const { handler, numbers } = recorder({ concurrency: 3 }, done);
      const worker = await work(jobs, { read: handler });
      for (const n of numbersTo(10)) await jobs.enqueue('read', { n: n + 10 });
      await eventually('all have run', () => numbers().length >= 20);
      await worker.stop(20_000);
      expect(await numbersRun(jobs, 0)).to.deep.equal([]);
      expect(numbers()).to.deep.equal(numbersTo(20));
      expect(errors).to.deep.equal([]);
    });

    it('starts a job that is added while the worker is idle', async () => {
      const { jobs } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1 }, done);
      await work(jobs, { read: handler });
      await waitBriefly();
      await jobs.enqueue('read', { n: 1 });
      await eventually('it has run', () => runs.length > 0);
    });

    it('passes the handler an equal copy of the payload, a new one for each run', async () => {
      const { jobs, now } = opened().subject;
      const payload = {
        text: strangeTexts.join(''),
        number: -0.1,
        big: 2 ** 53,
        yes: true,
        no: false,
        nothing: null,
        $ne: '$x',
        'a.b': 1,
        '': 'empty',
      };
      const given: Record<string, string | number | boolean | null> = { ...payload };
      await jobs.enqueue('read', given);
      given['text'] = 'changed';
      const seen: unknown[] = [];
      const { handler, runs } = recorder({ concurrency: 1 }, (run) => {
        seen.push(structuredClone(run.payload));
        Reflect.set(run.payload, 'text', 'changed');
        return runs.length < 2 ? { retryAt: now() } : 'done';
      });
      await work(jobs, { read: handler });
      await eventually('it has run twice', () => seen.length >= 2);
      expect(seen).to.deep.equal([payload, payload]);
    });

    it('accepts an empty payload', async () => {
      const { jobs } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1 }, done);
      await jobs.enqueue('read', {});
      await work(jobs, { read: handler });
      await eventually('it has run', () => runs.length > 0);
      expect(runs[0]?.payload).to.deep.equal({});
    });

    it('runs equal jobs as often as they were added', async () => {
      const { jobs } = opened().subject;
      for (let i = 0; i < 3; i++) await jobs.enqueue('read', { n: 1 });
      expect(await numbersRun(jobs, 3)).to.deep.equal([1, 1, 1]);
      await jobs.enqueue('read', { n: 1 });
      expect(await numbersRun(jobs, 1)).to.deep.equal([1]);
    });

    it(`runs all of ${MANY} jobs that were added at the same time`, async () => {
      const { jobs } = opened().subject;
      await Promise.all(numbersTo(MANY).map((n) => jobs.enqueue('read', { n })));
      expect(await numbersRun(jobs, MANY)).to.deep.equal(numbersTo(MANY));
    });

    it('does not run jobs of a kind without a handler, and keeps them for a worker that has one', async () => {
      const { jobs } = opened().subject;
      const long = `read${'-on'.repeat(90)}`;
      const otherKinds = ['send', 'read-on', 'rea', long];
      for (const kind of [...otherKinds, 'constructor']) await jobs.enqueue(kind, { n: 1 });
      await jobs.enqueue('read', { n: 2 });
      expect(await numbersRun(jobs, 1)).to.deep.equal([2]);
      expect(await numbersRun(jobs, 0, long.slice(0, -1))).to.deep.equal([]);
      for (const kind of otherKinds) expect(await numbersRun(jobs, 1, kind), kind).to.deep.equal([1]);
    });

    it('runs as many jobs of a kind at once as its handler allows, independent of other kinds', async () => {
      const { jobs } = opened().subject;
      await enqueueAll(jobs, 6);
      for (const n of numbersTo(3)) await jobs.enqueue('send', { n });
      const [reader, sender] = [recorder({ concurrency: 3 }), recorder({ concurrency: 1 })];
      await work(jobs, { read: reader.handler, send: sender.handler });
      await eventually('four run', () => reader.running() === 3 && sender.running() === 1);
      await waitBriefly();
      expect([reader.running(), sender.running()]).to.deep.equal([3, 1]);
      reader.runs[0]?.end('done');
      await eventually('the next one runs', () => reader.runs.length === 4);
      await eventually('all have run', () => {
        for (const run of [...reader.runs, ...sender.runs]) run.end('done');
        return reader.runs.length === 6 && sender.runs.length === 3;
      });
      expect([reader.mostAtOnce(), sender.mostAtOnce()]).to.deep.equal([3, 1]);
    });

    it('runs a job when it is due, not a millisecond earlier', async () => {
      const { jobs, now, advance } = opened().subject;
      const { handler, numbers } = recorder({ concurrency: 5 }, done);
      await work(jobs, { read: handler });
      await jobs.enqueue('read', { n: 1 }, plusMs(now(), 10_000));
      await jobs.enqueue('read', { n: 2 }, plusMs(now(), 5_000));
      await jobs.enqueue('read', { n: 3 }, plusMs(now(), -3_600_000));
      await eventually('the overdue one has run', () => numbers().length >= 1);
      advance(5_000);
      await eventually('the second one has run', () => numbers().length >= 2);
      advance(4_999);
      await waitBriefly();
      expect(numbers()).to.deep.equal([2, 3]);
      advance(1);
      await eventually('the last one has run', () => numbers().length >= 3);
    });

    it('runs a job that is due in months, also beyond the range of a 32-bit timer', async () => {
      const { jobs, now, advance } = opened().subject;
      const { handler, numbers } = recorder({ concurrency: 1 }, done);
      await jobs.enqueue('read', { n: 3 }, plusMs(now(), 3_650 * DAY_MS));
      await jobs.enqueue('read', { n: 2 }, plusMs(now(), 60 * DAY_MS));
      await jobs.enqueue('read', { n: 1 }, plusMs(now(), 25 * DAY_MS));
      await work(jobs, { read: handler });
      await waitBriefly();
      expect(numbers()).to.deep.equal([]);
      for (const n of [1, 2]) {
        advance(30 * DAY_MS);
        await eventually(`job ${n} has run`, () => numbers().length >= n);
      }
      await waitBriefly();
      expect(numbers()).to.deep.equal([1, 2]);
    });

    it('runs a job again at its retry time, not a millisecond earlier', async () => {
      const { jobs, now, advance } = opened().subject;
      const { handler, runs } = recorder({ concurrency: 1 }, () =>
        runs.length > 1 ? 'done' : { retryAt: plusMs(now(), 5_000) },
      );
      await work(jobs, { read: handler });
      await jobs.enqueue('read', { n: 7 });
      await eventually('it has run', () => runs.length >= 1);
      await waitBriefly();
      advance(4_999);
      await waitBriefly();
      expect(runs).to.have.length(1);
      advance(1);
      await eventually('it has run twice', () => runs.length >= 2);
      expect(runs[1]?.payload).to.deep.equal({ n: 7 });
      await waitBriefly();
      advance(DAY_MS);
      await waitBriefly();
      expect(runs).to.have.length(2);
      expect(errors).to.deep.equal([]);
    });

    it('runs other jobs while a job waits for its retry time', async () => {
      const { jobs, now } = opened().subject;
      const { handler, numbers } = recorder({ concurrency: 1 }, (run) =>
        run.payload['n'] === 0 ? { retryAt: plusMs(now(), 3_600_000) } : 'done',
      );
      await enqueueAll(jobs, 3);
      await work(jobs, { read: handler });
      await eventually('all have run', () => numbers().length >= 3);
      await waitBriefly();
      expect(numbers()).to.deep.equal([0, 1, 2]);
    });

    it('reports the error of a handler, and runs the job again after a few seconds', async () => {
      const { jobs, advance } = opened().subject;
      const error = new Error('the handler failed');
      const { handler, runs } = recorder({ concurrency: 1 }, (run) => {
        if (runs.length < 2) throw error;
        return run.payload['n'] === 5 ? 'done' : { retryAt: 0 };
      });
      await work(jobs, { read: handler });
      await jobs.enqueue('read', { n: 5 });
      await eventually('the error was reported', () => errors.length > 0);
      expect(errors).to.deep.equal([{ error, kind: 'read' }]);
      expect(errors[0]?.error).to.equal(error);
      await waitBriefly();
      expect(runs).to.have.length(1);
      advance(AFTER_ERROR_MS);
      await eventually('it has run twice', () => runs.length >= 2);
      await waitBriefly();
      advance(AFTER_ERROR_MS);
      await waitBriefly();
      expect([runs.length, errors.length]).to.deep.equal([2, 1]);
    });

    it('runs a job again after its handler threw undefined or a string', async () => {
      const { jobs, advance } = opened().subject;
      const { handler, runs, numbers } = recorder({ concurrency: 2 }, (run) => {
        const thrown: unknown = run.payload['n'] === 0 ? undefined : 'a text';
        const isFirst = runs.filter(({ payload }) => payload['n'] === run.payload['n']).length === 1;
        if (isFirst && run.payload['n'] !== 2) throw thrown;
        return 'done';
      });
      await enqueueAll(jobs, 3);
      await work(jobs, { read: handler });
      await eventually('two have failed', () => errors.length >= 2 && runs.length >= 3);
      await waitBriefly();
      advance(AFTER_ERROR_MS);
      await eventually('all have run', () => numbers().length >= 5);
      expect(numbers()).to.deep.equal([0, 0, 1, 1, 2]);
      expect(errors.map(({ kind }) => kind)).to.deep.equal(['read', 'read']);
    });

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
        await waitBriefly();
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
        await waitBriefly();
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
        await waitBriefly();
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

    it('shares the jobs between two workers and runs each once', async () => {
      const { jobs } = opened().subject;
      const [first, second] = [recorder({ concurrency: 2 }, done), recorder({ concurrency: 2 }, done)];
      await Promise.all([work(jobs, { read: first.handler }), work(jobs, { read: second.handler })]);
      await Promise.all(numbersTo(50).map((n) => jobs.enqueue('read', { n })));
      await eventually('all have run', () => first.runs.length + second.runs.length >= 50);
      await waitBriefly();
      expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(50));
    });

    const test: JobTest = { opened, errors, work, recorder };
    describeRecurringJobs(test);

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
        await waitBriefly();
        expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(40));
      });

      it('runs a recurring job once per interval in one of the workers of both handles', async () => {
        const { jobs: here, advance } = opened().subject;
        const { jobs: there } = await openSecond();
        const { handler, runs, mostAtOnce } = recorder({ concurrency: 2, everyMs: 10_000 });
        await Promise.all([work(here, { sweep: handler }), work(there, { sweep: handler })]);
        for (let count = 1; count <= 3; count++) {
          await eventually(`run ${count} has started`, () => runs.length >= count);
          await waitBriefly();
          expect(runs).to.have.length(count);
          runs[count - 1]?.end('done');
          await waitBriefly();
          expect(runs).to.have.length(count);
          advance(10_000);
        }
        expect(mostAtOnce()).to.equal(1);
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
        const worker = await work(before, { sweep: first.handler });
        await eventually('it has run', () => first.runs.length > 0);
        await worker.stop(20_000);
        const { jobs, advance } = await reopen();
        const second = recorder({ concurrency: 1, everyMs: 10_000 }, done);
        await work(jobs, { sweep: second.handler });
        advance(9_999);
        await waitBriefly();
        expect(second.runs).to.have.length(0);
        advance(1);
        await eventually('it has run again', () => second.runs.length > 0);
      });
    });

    describeJobFaults(opened, without, async (jobs) => {
      const reading = recorder({ concurrency: 1 }, done);
      await work(jobs, { read: reading.handler });
      return reading;
    });
  });
