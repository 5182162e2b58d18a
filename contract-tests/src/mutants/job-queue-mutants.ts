import type { JobHandler, JobOutcome, JobPayload, JobQueue, JobWorker } from '@palimpsest/core';
import { machineNow } from '../job-queue/recorder.ts';
import { mutant, secondHandleElsewhere, type Mutants } from './mutant.ts';

const plain = (change: (sound: JobQueue) => Partial<JobQueue>) => mutant(() => change);

type Run = JobHandler['run'];

type Handlers = Readonly<Record<string, JobHandler>>;

/** The handlers, each changed. */
const mapped = (handlers: Handlers, change: (handler: JobHandler, kind: string) => Partial<JobHandler>): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]) => [
      kind,
      { concurrency: handler.concurrency, run: (job) => handler.run(job), ...change(handler, kind) },
    ]),
  );

/** A queue whose handlers are run in another way. */
const running = (alter: (run: Run) => Run) =>
  plain((sound) => ({
    work: (handlers, onError) =>
      sound.work(
        mapped(handlers, (handler) => ({ run: alter((job) => handler.run(job)) })),
        onError,
      ),
  }));

/** Broken queues, by what is wrong with them. */
export const jobQueueMutants: Mutants<JobQueue> = {
  'adds nothing': plain(() => ({ enqueue: async () => {} })),
  'adds each job twice': plain((sound) => ({
    enqueue: async (...job) => {
      await sound.enqueue(...job);
      await sound.enqueue(...job);
    },
  })),
  'adds to the wrong kind': plain((sound) => ({ enqueue: (_kind, ...job) => sound.enqueue('read', ...job) })),
  'forgets the payload': plain((sound) => ({
    enqueue: (kind, _payload, notBefore) => sound.enqueue(kind, {}, notBefore),
  })),
  'drops what is null': plain((sound) => ({
    enqueue: (kind, payload, notBefore) =>
      sound.enqueue(kind, Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)), notBefore),
  })),
  'hands out the payload that it was given': mutant(() => {
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
  'runs jobs early': plain((sound) => ({ enqueue: (kind, payload) => sound.enqueue(kind, payload) })),
  'runs what is due later never': plain((sound) => ({
    enqueue: (kind, payload, notBefore) => sound.enqueue(kind, payload, notBefore && notBefore + 86_400_000_000),
  })),
  'counts nothing': plain(() => ({ countWaiting: async () => 0 })),
  'counts what is not due as due': plain((sound) => ({ countDue: (kind) => sound.countWaiting(kind) })),
  'finds nothing due': plain(() => ({ countDue: async () => 0 })),
  'counts all kinds': plain((sound) => ({
    countWaiting: async (kind) =>
      (await sound.countWaiting(kind)) + (kind === 'read' ? await sound.countWaiting('send') : 0),
  })),
  'counts jobs that run': mutant(() => {
    let atWork = 0;
    return (sound) => ({
      countWaiting: async (kind) => (await sound.countWaiting(kind)) + atWork,
      work: (handlers, onError) =>
        sound.work(
          mapped(handlers, (handler) => ({
            run: async (job) => {
              atWork++;
              try {
                return await handler.run(job);
              } finally {
                atWork--;
              }
            },
          })),
          onError,
        ),
    });
  }),
  'never works': plain(() => ({ work: async () => ({ stop: async () => {} }) })),
  'has no regard for concurrency': plain((sound) => ({
    work: (handlers, onError) =>
      sound.work(
        mapped(handlers, () => ({ concurrency: 100 })),
        onError,
      ),
  })),
  'runs one job at a time': plain((sound) => ({
    work: (handlers, onError) =>
      sound.work(
        mapped(handlers, () => ({ concurrency: 1 })),
        onError,
      ),
  })),
  'runs each job twice': running((run) => async (job): Promise<JobOutcome> => {
    await run(job);
    return run(job);
  }),
  'takes a retry for the end': running((run) => async (job) => {
    await run(job);
    return 'done';
  }),
  'retries at once': running((run) => async (job) => {
    const outcome = await run(job);
    return outcome === 'done' ? outcome : { retryAt: machineNow() };
  }),
  'retries what is done': running((run) => async (job) => {
    await run(job);
    return { retryAt: machineNow() };
  }),
  'loses a job whose handler throws': plain((sound) => ({
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
  'keeps errors to itself': plain((sound) => ({ work: (handlers) => sound.work(handlers, () => undefined) })),
  'reports another error': plain((sound) => ({
    work: (handlers, onError) => sound.work(handlers, (_error, kind) => onError(new Error('a job failed'), kind)),
  })),
  'goes on when it is told to stop': (openSound) => async () => {
    const opened = await openSound();
    const sound = opened.subject;
    const workers: JobWorker[] = [];
    const subject: JobQueue = {
      enqueue: (...job) => sound.enqueue(...job),
      countWaiting: (kind) => sound.countWaiting(kind),
      countDue: (kind) => sound.countDue(kind),
      work: async (handlers, onError) => {
        workers.push(await sound.work(handlers, onError));
        return { stop: async () => {} };
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
  'does not wait for what runs': plain((sound) => ({
    work: async (handlers, onError) => {
      const worker = await sound.work(handlers, onError);
      return { stop: async (graceMs) => void worker.stop(graceMs) };
    },
  })),
  'gives no grace': plain((sound) => ({
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
  'loses what is handed back by an aborted handler': running((run) => async (job) => {
    const outcome = await run(job);
    return job.signal.aborted ? 'done' : outcome;
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
