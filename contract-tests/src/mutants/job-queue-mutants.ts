import type { JobHandler, JobOutcome, JobPayload, JobQueue, JobWorker } from '@palimpsest/core';
import type { TimedJobQueue } from '../job-queue/timed-job-queue.ts';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

type Run = JobHandler['run'];
type Handlers = Readonly<Record<string, JobHandler>>;
type Change = (sound: JobQueue, time: Omit<TimedJobQueue, 'jobs'>) => Partial<JobQueue>;

/** A queue with some methods of its own. `begin` is called once for each store. */
export const queueMutant = (begin: () => Change): Mutant<TimedJobQueue> =>
  mutant(() => {
    const change = begin();
    return ({ jobs, ...time }) => ({
      jobs: {
        enqueue: (...job) => jobs.enqueue(...job),
        work: (...given) => jobs.work(...given),
        ...change(jobs, time),
      },
    });
  });

export const plainQueue = (change: Change): Mutant<TimedJobQueue> => queueMutant(() => change);

/** The handlers, each changed. */
const mapped = (handlers: Handlers, change: (handler: JobHandler, kind: string) => Partial<JobHandler>): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => [
      kind,
      { ...handler, run: (job) => handler.run(job), ...change(handler, kind) },
    ]),
  );

/** An interval of ten thousand years: a recurring job runs once. */
const withoutInterval = ({ everyMs }: Partial<JobHandler>): Partial<JobHandler> =>
  everyMs === undefined ? {} : { everyMs: 315_360_000_000_000 };

/** A queue that changes the handlers. */
const withHandlers = (change: (handler: JobHandler, kind: string) => Partial<JobHandler>) =>
  plainQueue((sound) => ({ work: (handlers, onError) => sound.work(mapped(handlers, change), onError) }));

/** A queue that calls the handlers in another way. */
const running = (alter: (run: Run) => Run) => withHandlers((handler) => ({ run: alter((job) => handler.run(job)) }));

/** Broken queues, by their fault. */
export const jobQueueMutants: Mutants<TimedJobQueue> = {
  'adds nothing': plainQueue(() => ({ enqueue: async () => {} })),
  'adds each job twice': plainQueue((sound) => ({
    enqueue: async (...job) => {
      await sound.enqueue(...job);
      await sound.enqueue(...job);
    },
  })),
  'adds every job to one kind': plainQueue((sound) => ({ enqueue: (_kind, ...job) => sound.enqueue('read', ...job) })),
  'forgets the payload': plainQueue((sound) => ({
    enqueue: (kind, _payload, notBefore) => sound.enqueue(kind, {}, notBefore),
  })),
  'drops null values of the payload': plainQueue((sound) => ({
    enqueue: (kind, payload, notBefore) =>
      sound.enqueue(kind, Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)), notBefore),
  })),
  'gives the handler the payload object of the caller': queueMutant(() => {
    const given: JobPayload[] = [];
    return (sound) => ({
      enqueue: (kind, payload, notBefore) => sound.enqueue(kind, { index: given.push(payload) - 1 }, notBefore),
      work: (handlers, onError) =>
        sound.work(
          mapped(handlers, (handler) => ({
            run: ({ payload, signal }) => handler.run({ payload: given[Number(payload['index'])] ?? {}, signal }),
          })),
          onError,
        ),
    });
  }),
  'runs jobs before they are due': plainQueue((sound) => ({
    enqueue: (kind, payload) => sound.enqueue(kind, payload),
  })),
  'runs later jobs a day late': plainQueue((sound) => ({
    enqueue: (kind, payload, notBefore) => sound.enqueue(kind, payload, notBefore && notBefore + 86_400_000_000),
  })),
  'never works': plainQueue(() => ({ work: async () => ({ stop: async () => {} }) })),
  'ignores the limit of concurrency': withHandlers(() => ({ concurrency: 100 })),
  'runs one job at a time': withHandlers(() => ({ concurrency: 1 })),
  'runs each job twice': running((run) => async (job): Promise<JobOutcome> => {
    await run(job);
    return run(job);
  }),
  'does not run a job again that asks for it': running((run) => async (job) => {
    await run(job);
    return 'done';
  }),
  'retries without waiting': running((run) => async (job) => {
    const outcome = await run(job);
    return outcome === 'done' ? outcome : { retryAt: 0 };
  }),
  'runs a job again that is done': running((run) => async (job) => {
    await run(job);
    return { retryAt: 0 };
  }),
  'loses a job whose handler throws': plainQueue((sound) => ({
    work: (handlers, onError) =>
      sound.work(
        mapped(handlers, (handler, kind) => ({
          run: (job) =>
            handler.run(job).catch((error: unknown) => {
              onError(error, kind);
              return 'done';
            }),
        })),
        onError,
      ),
  })),
  'does not report errors': plainQueue((sound) => ({ work: (handlers) => sound.work(handlers, () => undefined) })),
  'goes on after it was told to stop': (openSound) => async () => {
    const opened = await openSound();
    const { jobs } = opened.subject;
    const workers: JobWorker[] = [];
    const subject: TimedJobQueue = {
      ...opened.subject,
      jobs: {
        enqueue: (...job) => jobs.enqueue(...job),
        work: async (handlers, onError) => {
          workers.push(await jobs.work(handlers, onError));
          return { stop: async () => {} };
        },
      },
    };
    return {
      ...opened,
      subject,
      close: async () => {
        await Promise.all(workers.map((worker) => worker.stop(0)));
        await opened.close();
      },
    };
  },
  'does not wait for running jobs when it stops': plainQueue((sound) => ({
    work: async (handlers, onError) => {
      const worker = await sound.work(handlers, onError);
      return { stop: async (graceMs) => void worker.stop(graceMs) };
    },
  })),
  'gives no grace period': plainQueue((sound) => ({
    work: async (handlers, onError) => {
      const worker = await sound.work(handlers, onError);
      return { stop: () => worker.stop(0) };
    },
  })),
  'never aborts': running(
    (run) =>
      ({ payload }) =>
        run({ payload, signal: new AbortController().signal }),
  ),
  'loses a job that an aborted handler gives back': running((run) => async (job) => {
    const outcome = await run(job);
    return job.signal.aborted ? 'done' : outcome;
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
  'runs a recurring job once only': withHandlers(withoutInterval),
  'runs a recurring job in each worker': queueMutant(() => {
    let workers = 0;
    return (sound) => ({
      work: (handlers, onError) => {
        const own = `-of-worker-${String.fromCharCode(97 + workers++)}`;
        const renamed = Object.entries(handlers).map(([kind, handler]) => [
          handler.everyMs === undefined ? kind : kind + own,
          handler,
        ]);
        return sound.work(Object.fromEntries(renamed), onError);
      },
    });
  }),
  'runs a recurring job every second': withHandlers(({ everyMs }) => (everyMs === undefined ? {} : { everyMs: 1_000 })),
  'keeps the first interval of a recurring job': queueMutant(() => {
    const first = new Map<string, number>();
    return (sound) => ({
      work: (handlers, onError) =>
        sound.work(
          mapped(handlers, ({ everyMs }, kind) => {
            if (everyMs === undefined) return {};
            if (!first.has(kind)) first.set(kind, everyMs);
            return { everyMs: first.get(kind) ?? everyMs };
          }),
          onError,
        ),
    });
  }),
};
