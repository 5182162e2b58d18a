import { plusMs } from '@palimpsest/core';
import { expect } from 'chai';
import { eventually } from '../kit/expectations.ts';
import { AFTER_ERROR_MS, done, enqueueAll, type JobTest } from './job-test.ts';

const DAY_MS = 86_400_000;

/** Tests when jobs run: at their due times, at their retry times, and after errors. */
export const describeDueTimes = ({ opened, errors, work, recorder, polled }: JobTest): void => {
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
    await polled();
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
    await polled();
    expect(numbers()).to.deep.equal([]);
    for (const n of [1, 2]) {
      advance(30 * DAY_MS);
      await eventually(`job ${n} has run`, () => numbers().length >= n);
    }
    await polled();
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
    await polled();
    advance(4_999);
    await polled();
    expect(runs).to.have.length(1);
    advance(1);
    await eventually('it has run twice', () => runs.length >= 2);
    expect(runs[1]?.payload).to.deep.equal({ n: 7 });
    await polled();
    advance(DAY_MS);
    await polled();
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
    await polled();
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
    await polled();
    expect(runs).to.have.length(1);
    advance(AFTER_ERROR_MS);
    await eventually('it has run twice', () => runs.length >= 2);
    await polled();
    advance(AFTER_ERROR_MS);
    await polled();
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
    await polled();
    advance(AFTER_ERROR_MS);
    await eventually('all have run', () => numbers().length >= 5);
    expect(numbers()).to.deep.equal([0, 0, 1, 1, 2]);
    expect(errors.map(({ kind }) => kind)).to.deep.equal(['read', 'read']);
  });
};
