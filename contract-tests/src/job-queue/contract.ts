import type { JobQueue, JobWorker } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { machineNow, recorder as newRecorder, type Recorder } from './recorder.ts';
import { MANY, strangeTexts } from '../kit/samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeJobFaults } from './faults.ts';

const MS = 1000; // microseconds
const DAY = 86_400_000 * MS;

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const enqueueAll = async (jobs: JobQueue, count: number): Promise<void> => {
  for (const n of numbersTo(count)) await jobs.enqueue('read', { n });
};

const done = (): 'done' => 'done';

const isOver = (jobs: JobQueue, kind: string) => async (): Promise<boolean> => (await jobs.countWaiting(kind)) === 0;

/** Time for something that must not happen to happen: two turns of an eager worker and a bit. */
const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

/**
 * What every `JobQueue` promises. Due times are by the machine's clock. It takes some real seconds; that a job of a dead
 * process runs again is not tested here, as that takes a process that dies.
 */
export const describeJobQueue = (name: string, open: Open<JobQueue>, without: Without = {}): void =>
  describeWithTimeout(`${name}, a JobQueue`, 30_000, () => {
    const errors: { readonly error: unknown; readonly kind: string }[] = [];
    const workers: JobWorker[] = [];
    const recorders: Recorder[] = [];

    const work = async (jobs: JobQueue, handlers: Parameters<JobQueue['work']>[0]): Promise<JobWorker> => {
      const worker = await jobs.work(handlers, (error, kind) => errors.push({ error, kind }));
      workers.push(worker);
      return worker;
    };

    const recorder = (...given: Parameters<typeof newRecorder>): Recorder => {
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

    it('runs each job once, those from before the worker began too', async () => {
      const { subject: jobs } = opened();
      await enqueueAll(jobs, 10);
      const { handler, numbers } = recorder(3, done);
      await work(jobs, { read: handler });
      for (const n of numbersTo(10)) await jobs.enqueue('read', { n: n + 10 });
      await eventually('all have run', () => numbers().length >= 20);
      await aMoment();
      expect(numbers()).to.deep.equal(numbersTo(20));
      expect(await jobs.countWaiting('read')).to.equal(0);
      expect(errors).to.deep.equal([]);
    });

    it('starts a job within seconds that is added while the worker is idle', async () => {
      const { subject: jobs } = opened();
      const { handler, runs } = recorder(1, done);
      await work(jobs, { read: handler });
      await aMoment();
      const added = machineNow();
      await jobs.enqueue('read', { n: 1 });
      await eventually('it has run', () => runs.length > 0);
      expect((runs[0]?.beganAt ?? Infinity) - added).to.be.below(3_000 * MS);
    });

    it('gives a payload to the handler as it was, and to each run anew', async () => {
      const { subject: jobs } = opened();
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
      const { handler, runs } = recorder(1, (run) => {
        seen.push(structuredClone(run.payload));
        Reflect.set(run.payload, 'text', 'changed');
        return runs.length < 2 ? { retryAt: machineNow() } : 'done';
      });
      await work(jobs, { read: handler });
      await eventually('it has run twice', () => seen.length >= 2);
      expect(seen).to.deep.equal([payload, payload]);
    });

    it('takes an empty payload', async () => {
      const { subject: jobs } = opened();
      const { handler, runs } = recorder(1, done);
      await jobs.enqueue('read', {});
      await work(jobs, { read: handler });
      await eventually('it has run', () => runs.length > 0);
      expect(runs[0]?.payload).to.deep.equal({});
    });

    it('counts the jobs of a kind that wait, due or not, and not those that run', async () => {
      const { subject: jobs } = opened();
      expect(await jobs.countWaiting('read')).to.equal(0);
      await enqueueAll(jobs, 4);
      await jobs.enqueue('read', { n: 4 }, machineNow() + 3_600_000 * MS);
      await jobs.enqueue('send', { n: 0 });
      expect([await jobs.countWaiting('read'), await jobs.countWaiting('send')]).to.deep.equal([5, 1]);
      const { handler, runs } = recorder(2);
      await work(jobs, { read: handler });
      await eventually('two run', () => runs.length === 2);
      await eventually('they do not count', async () => (await jobs.countWaiting('read')) === 3);
      for (const run of runs) run.end('done');
      await eventually('two more run', () => runs.length === 4);
      for (const run of runs) run.end('done');
      await eventually('the one that is not due is left', async () => (await jobs.countWaiting('read')) === 1);
      await aMoment();
      expect([await jobs.countWaiting('read'), await jobs.countWaiting('send'), runs.length]).to.deep.equal([1, 1, 4]);
    });

    it('counts apart those that could run now', async () => {
      const { subject: jobs } = opened();
      await enqueueAll(jobs, 3);
      await jobs.enqueue('read', { n: 3 }, machineNow() + 3_600_000 * MS);
      await jobs.enqueue('send', { n: 0 });
      expect([await jobs.countDue('read'), await jobs.countDue('send'), await jobs.countDue('other')]).to.deep.equal([
        3, 1, 0,
      ]);
      const { handler, runs } = recorder(1);
      await work(jobs, { read: handler });
      await eventually('one runs', () => runs.length === 1);
      await eventually('it does not count', async () => (await jobs.countDue('read')) === 2);
      runs[0]?.end({ retryAt: machineNow() + 3_600_000 * MS });
      await eventually('the next one runs', () => runs.length === 2);
      await eventually('the one that was put off does not count', async () => (await jobs.countDue('read')) === 1);
    });

    it('runs equal jobs each for itself', async () => {
      const { subject: jobs } = opened();
      for (let i = 0; i < 3; i++) await jobs.enqueue('read', { n: 1 });
      expect(await jobs.countWaiting('read')).to.equal(3);
      const { handler, numbers } = recorder(1, done);
      await work(jobs, { read: handler });
      await eventually('all have run', () => numbers().length >= 3);
      await jobs.enqueue('read', { n: 1 });
      await eventually('one more has run', () => numbers().length >= 4);
      await aMoment();
      expect(numbers()).to.deep.equal([1, 1, 1, 1]);
    });

    it('counts every one of many', async () => {
      const { subject: jobs } = opened();
      await Promise.all(numbersTo(MANY).map((n) => jobs.enqueue('read', { n })));
      expect([await jobs.countWaiting('read'), await jobs.countDue('read')]).to.deep.equal([MANY, MANY]);
    });

    it('waits for moments that are months ahead', async () => {
      const { subject: jobs } = opened();
      const { handler, numbers } = recorder(2, (run) =>
        run.payload['n'] === 1 ? { retryAt: machineNow() + 60 * DAY } : 'done',
      );
      // Further ahead than a timer of 32 bits can tell.
      for (const [n, days] of [
        [2, 25],
        [3, 60],
        [4, 3650],
      ] as const)
        await jobs.enqueue('read', { n }, machineNow() + days * DAY);
      await jobs.enqueue('read', { n: 1 });
      await work(jobs, { read: handler });
      await eventually('the one that is due has run', () => numbers().length > 0);
      await eventually('it waits again', async () => {
        expect(numbers()).to.deep.equal([1]);
        return (await jobs.countWaiting('read')) === 4;
      });
      await aMoment();
      expect(numbers()).to.deep.equal([1]);
      expect(await jobs.countDue('read')).to.equal(0);
    });

    it('leaves jobs of a kind without a handler waiting', async () => {
      const { subject: jobs } = opened();
      for (const kind of ['send', 'constructor', 'read-on', 'rea', `read${'-on'.repeat(90)}`])
        await jobs.enqueue(kind, { n: 1 });
      const reader = recorder(1, done);
      expect(await jobs.countWaiting(`read${'-on'.repeat(89)}`)).to.equal(0);
      await work(jobs, { read: reader.handler });
      await jobs.enqueue('read', { n: 2 });
      await eventually('the other has run', () => reader.runs.length > 0);
      await aMoment();
      expect(reader.numbers()).to.deep.equal([2]);
      expect(await jobs.countWaiting('send')).to.equal(1);
      const sender = recorder(1, done);
      await work(jobs, { send: sender.handler });
      await eventually('it has run', () => sender.runs.length > 0);
      expect(sender.numbers()).to.deep.equal([1]);
    });

    it('runs as many jobs of a kind at once as the handler allows, whatever the other kinds do', async () => {
      const { subject: jobs } = opened();
      await enqueueAll(jobs, 6);
      for (const n of numbersTo(3)) await jobs.enqueue('send', { n });
      const [reader, sender] = [recorder(3), recorder(1)];
      await work(jobs, { read: reader.handler, send: sender.handler });
      await eventually('four run', () => reader.running() === 3 && sender.running() === 1);
      await aMoment();
      expect([reader.running(), sender.running()]).to.deep.equal([3, 1]);
      reader.runs[0]?.end('done');
      await eventually('the next one runs', () => reader.runs.length === 4);
      await eventually('all have run', () => {
        for (const run of [...reader.runs, ...sender.runs]) run.end('done');
        return reader.runs.length === 6 && sender.runs.length === 3;
      });
      expect([reader.mostAtOnce(), sender.mostAtOnce()]).to.deep.equal([3, 1]);
    });

    it('never runs a job early, and runs it when it is due', async () => {
      const { subject: jobs } = opened();
      const { handler, runs } = recorder(5, done);
      await work(jobs, { read: handler });
      const dueAt = machineNow() + 700 * MS;
      await jobs.enqueue('read', { n: 1 }, dueAt);
      await jobs.enqueue('read', { n: 2 }, dueAt - 400 * MS);
      await jobs.enqueue('read', { n: 3 }, dueAt - 3_600_000 * MS);
      await eventually('all have run', () => runs.length >= 3);
      const began = (n: number): number => runs.find(({ payload }) => payload['n'] === n)?.beganAt ?? 0;
      expect(began(1))
        .to.be.at.least(dueAt - MS)
        .and.below(dueAt + 5_000 * MS);
      expect(began(2)).to.be.at.least(dueAt - 401 * MS);
      expect(began(3)).to.be.below(dueAt + 3_000 * MS);
    });

    it('runs a job again that asks for it, not before its moment', async () => {
      const { subject: jobs } = opened();
      let retryAt = 0;
      const { handler, runs } = recorder(1, () => {
        if (runs.length > 1) return 'done';
        retryAt = machineNow() + 500 * MS;
        return { retryAt };
      });
      await work(jobs, { read: handler });
      await jobs.enqueue('read', { n: 7 });
      await eventually('it has run twice', () => runs.length >= 2);
      expect(runs[1]?.beganAt).to.be.at.least(retryAt - MS);
      expect(runs[1]?.payload).to.deep.equal({ n: 7 });
      await aMoment();
      expect(runs).to.have.length(2);
      expect(await jobs.countWaiting('read')).to.equal(0);
      expect(errors).to.deep.equal([]);
    });

    it('lets a job that waits for its retry wait, and others run meanwhile', async () => {
      const { subject: jobs } = opened();
      const { handler, numbers } = recorder(1, (run) =>
        run.payload['n'] === 0 ? { retryAt: machineNow() + 3_600_000 * MS } : 'done',
      );
      await enqueueAll(jobs, 3);
      await work(jobs, { read: handler });
      await eventually('all have run', () => numbers().length >= 3);
      await eventually('one waits', async () => (await jobs.countWaiting('read')) === 1);
      await aMoment();
      expect(numbers()).to.deep.equal([0, 1, 2]);
    });

    it('reports what a handler throws, and runs the job again', async () => {
      const { subject: jobs } = opened();
      const error = new Error('the handler failed');
      const { handler, runs } = recorder(1, (run) => {
        if (runs.length < 2) throw error;
        return run.payload['n'] === 5 ? 'done' : { retryAt: machineNow() };
      });
      await work(jobs, { read: handler });
      await jobs.enqueue('read', { n: 5 });
      await eventually('it was reported', () => errors.length > 0);
      expect(errors).to.deep.equal([{ error, kind: 'read' }]);
      expect(errors[0]?.error).to.equal(error);
      await eventually('it has run twice', () => runs.length >= 2);
      expect((runs[1]?.beganAt ?? 0) - (runs[0]?.beganAt ?? 0)).to.be.below(15_000 * MS);
      await eventually('it is over', isOver(jobs, 'read'));
      await aMoment();
      expect([runs.length, errors.length]).to.deep.equal([2, 1]);
    });

    it('works on when a handler throws, whatever it throws', async () => {
      const { subject: jobs } = opened();
      const { handler, runs, numbers } = recorder(2, (run) => {
        const thrown: unknown = run.payload['n'] === 0 ? undefined : 'a text';
        if (runs.filter(({ payload }) => payload['n'] === run.payload['n']).length === 1 && run.payload['n'] !== 2)
          throw thrown;
        return 'done';
      });
      await enqueueAll(jobs, 3);
      await work(jobs, { read: handler });
      await eventually('all have run', () => numbers().length >= 5);
      expect(numbers()).to.deep.equal([0, 0, 1, 1, 2]);
      expect(errors.map(({ kind }) => kind)).to.deep.equal(['read', 'read']);
    });

    describe('that is told to stop', () => {
      it('waits for the running jobs within its grace, without aborting them', async () => {
        const { subject: jobs } = opened();
        const { handler, runs } = recorder(1);
        await jobs.enqueue('read', { n: 1 });
        const worker = await work(jobs, { read: handler });
        await eventually('it runs', () => runs.length === 1);
        let stopped = false;
        const stopping = worker.stop(20_000).then(() => (stopped = true));
        await aMoment();
        expect([stopped, runs[0]?.signal.aborted]).to.deep.equal([false, false]);
        runs[0]?.end('done');
        await stopping;
        expect(runs[0]?.signal.aborted).to.equal(false);
        expect(await jobs.countWaiting('read')).to.equal(0);
      });

      it('aborts what still runs after its grace, and waits for it to return', async () => {
        const { subject: jobs } = opened();
        const { handler, runs } = recorder(2);
        await enqueueAll(jobs, 2);
        const worker = await work(jobs, { read: handler });
        await eventually('both run', () => runs.length === 2);
        let stopped = false;
        const stopping = worker.stop(50).then(() => (stopped = true));
        await eventually('both are aborted', () => runs.every(({ signal }) => signal.aborted));
        runs[0]?.end('done');
        await aMoment();
        expect(stopped).to.equal(false);
        runs[1]?.end('done');
        await stopping;
        expect(await jobs.countWaiting('read')).to.equal(0);
      });

      it('takes no more jobs, which are there for another worker at once', async () => {
        const { subject: jobs } = opened();
        const first = recorder(1);
        await enqueueAll(jobs, 4);
        const worker = await work(jobs, { read: first.handler });
        await eventually('one runs', () => first.runs.length === 1);
        const stopping = worker.stop(20_000);
        first.runs[0]?.end('done');
        await stopping;
        await jobs.enqueue('read', { n: 4 });
        await aMoment();
        expect(first.runs).to.have.length(1);
        expect(await jobs.countWaiting('read')).to.equal(4);
        const second = recorder(1, done);
        await work(jobs, { read: second.handler });
        await eventually('the rest has run', () => second.runs.length >= 4, 5_000);
        expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(5));
      });

      /** A job whose handler runs on although its worker was stopped without grace. */
      const abortedWhileItRuns = async () => {
        const { subject: jobs } = opened();
        const first = recorder(1);
        await jobs.enqueue('read', { n: 3 });
        const worker = await work(jobs, { read: first.handler });
        await eventually('it runs', () => first.runs.length === 1);
        const stopping = worker.stop(0);
        await eventually('it is aborted', () => first.runs[0]?.signal.aborted === true);
        return { jobs, first, stopping };
      };

      it('hands on a job that an aborted handler gives back', async () => {
        const { jobs, first, stopping } = await abortedWhileItRuns();
        first.runs[0]?.end({ retryAt: machineNow() });
        await stopping;
        expect(await jobs.countWaiting('read')).to.equal(1);
        const second = recorder(1, done);
        await work(jobs, { read: second.handler });
        await eventually('it has run', () => second.runs.length > 0, 5_000);
        expect(second.runs[0]?.payload).to.deep.equal({ n: 3 });
      });

      it('keeps a job whose aborted handler throws', async () => {
        const { jobs, first, stopping } = await abortedWhileItRuns();
        first.runs[0]?.fail(new Error('aborted'));
        await stopping;
        expect(await jobs.countWaiting('read')).to.equal(1);
        const second = recorder(1, done);
        await work(jobs, { read: second.handler });
        await eventually('it has run', () => second.runs.length > 0);
      });

      it('stops at once where nothing runs, and again', async () => {
        const { subject: jobs } = opened();
        const worker = await work(jobs, { read: recorder(1).handler });
        const began = machineNow();
        await worker.stop(20_000);
        await worker.stop(20_000);
        expect(machineNow() - began).to.be.below(10_000 * MS);
      });
    });

    it('shares the jobs among two workers, each once', async () => {
      const { subject: jobs } = opened();
      const [first, second] = [recorder(2, done), recorder(2, done)];
      await Promise.all([work(jobs, { read: first.handler }), work(jobs, { read: second.handler })]);
      await Promise.all(numbersTo(50).map((n) => jobs.enqueue('read', { n })));
      await eventually('all have run', () => first.runs.length + second.runs.length >= 50);
      await aMoment();
      expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(50));
    });

    describeWith('openSecond', opened, without, (openSecond) => {
      it('runs what was added here, and counts the same', async () => {
        const { subject: here } = opened();
        const there = await openSecond();
        await enqueueAll(here, 2);
        expect(await there.countWaiting('read')).to.equal(2);
        const { handler, numbers, runs } = recorder(5, done);
        await work(there, { read: handler });
        await eventually('both have run', () => runs.length >= 2);
        const added = machineNow();
        await here.enqueue('read', { n: 2 });
        await eventually('the third has run', () => runs.length >= 3);
        expect((runs[2]?.beganAt ?? Infinity) - added).to.be.below(5_000 * MS);
        expect(numbers()).to.deep.equal([0, 1, 2]);
        await eventually('nothing is left', isOver(here, 'read'));
      });

      it('shares the jobs, each once', async () => {
        const { subject: here } = opened();
        const there = await openSecond();
        const [first, second] = [recorder(2), recorder(2)];
        await Promise.all([work(here, { read: first.handler }), work(there, { read: second.handler })]);
        await Promise.all(numbersTo(40).map((n) => (n % 2 === 0 ? here : there).enqueue('read', { n })));
        await eventually('both work', () => first.running() === 2 && second.running() === 2);
        await eventually('all have run', () => {
          for (const run of [...first.runs, ...second.runs]) run.end('done');
          return first.runs.length + second.runs.length >= 40;
        });
        await aMoment();
        expect([...first.numbers(), ...second.numbers()].sort((a, b) => a - b)).to.deep.equal(numbersTo(40));
      });
    });

    describeWith('reopen', opened, without, (anew) => {
      it('still has the jobs', async () => {
        await enqueueAll(opened().subject, 2);
        const jobs = await anew();
        expect(await jobs.countWaiting('read')).to.equal(2);
        const { handler, numbers } = recorder(1, done);
        await work(jobs, { read: handler });
        await eventually('both have run', () => numbers().length >= 2);
        expect(numbers()).to.deep.equal([0, 1]);
      });
    });

    describeJobFaults(opened, without, async (jobs) => {
      const reading = recorder(1, done);
      await work(jobs, { read: reading.handler });
      return reading;
    });
  });
