import type { JobQueue, JobWorker } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { openForEach, type Open, type Without } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { MANY, strangeTexts } from '../kit/samples.ts';
import { describeDueTimes } from './due-times.ts';
import { describeJobFaults } from './faults.ts';
import { done, enqueueAll, numbersTo, type JobTest } from './job-test.ts';
import { recorder as newRecorder, type Recorder } from './recorder.ts';
import { describeRecurringJobs } from './recurring-jobs.ts';
import { describeSharedJobs } from './shared-jobs.ts';
import { describeStopping } from './stopping.ts';
import type { TimedJobQueue } from './timed-job-queue.ts';

/** Tests the promises of every `JobQueue`. The test moves the clock, so the suite does not wait for due times. */
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
    const polled: JobTest['polled'] = () => opened().subject.polled();

    /** The numbers of all jobs that a new worker runs, when `count` have run and no more follow. */
    const numbersRun = async (jobs: JobQueue, count: number, kind = 'read'): Promise<readonly number[]> => {
      const { handler, numbers } = recorder({ concurrency: 5 }, done);
      const worker = await work(jobs, { [kind]: handler });
      await eventually(`${count} jobs have run`, () => numbers().length >= count);
      await polled();
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
      await polled();
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
      await polled();
      expect([reader.running(), sender.running()]).to.deep.equal([3, 1]);
      reader.runs[0]?.end('done');
      await eventually('the next one runs', () => reader.runs.length === 4);
      await eventually('all have run', () => {
        for (const run of [...reader.runs, ...sender.runs]) run.end('done');
        return reader.runs.length === 6 && sender.runs.length === 3;
      });
      expect([reader.mostAtOnce(), sender.mostAtOnce()]).to.deep.equal([3, 1]);
    });

    const test: JobTest = { opened, errors, work, recorder, numbersRun, polled };
    describeDueTimes(test);
    describeStopping(test);
    describeRecurringJobs(test);
    describeSharedJobs(opened, without, test);

    describeJobFaults(opened, without, async (jobs) => {
      const reading = recorder({ concurrency: 1 }, done);
      await work(jobs, { read: reading.handler });
      return reading;
    });
  });
