import type { SqliteAgendaBackend } from '@palimpsest/sqlite';
import { Agenda, type JobParameters, type JobRepository } from 'agenda';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from './open-in-folder.ts';

const MINUTE = 60_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const ahead = (ms: number): Date => new Date(Date.now() + ms);

const aJob = (given: Partial<JobParameters> = {}): JobParameters => ({
  name: 'mail',
  type: 'normal',
  priority: 0,
  nextRunAt: ago(1_000),
  data: {},
  ...given,
});

/** The next job, where a lock ends after ten minutes. */
const next = (repository: JobRepository, name = 'mail', lockDeadline = ago(10 * MINUTE)) =>
  repository.getNextJobToRun(name, new Date(), lockDeadline, new Date(), undefined);

const refusal = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
};

describe('SqliteAgendaBackend', () => {
  let folder: DatabaseFolder;
  let backend: SqliteAgendaBackend;
  let jobs: JobRepository;

  beforeEach(async () => {
    folder = await databaseFolder();
    backend = (await folder.open()).agendaBackend();
    jobs = backend.repository;
  });
  afterEach(async () => {
    await backend.disconnect();
    await folder.remove();
  });

  const save = async (
    given: Partial<JobParameters> = {},
  ): Promise<JobParameters & { _id: NonNullable<JobParameters['_id']> }> => {
    const saved = await jobs.saveJob(aJob(given), undefined);
    if (saved._id === undefined) throw new Error('The saved job has no id');
    return { ...saved, _id: saved._id };
  };

  describe('as a keeper of jobs', () => {
    it('gives a job back with all its fields', async () => {
      const job = aJob({
        priority: -10,
        repeatInterval: '5 minutes',
        repeatTimezone: 'Europe/Berlin',
        startDate: ago(MINUTE),
        endDate: ahead(MINUTE),
        skipDays: [0, 6],
        fork: true,
        disabled: true,
        data: { deep: [{ text: 'Grüße\u0000\ud800' }] },
      });
      const { _id, ...saved } = await save(job);
      expect(saved).to.deep.equal(job);
      expect(await jobs.getJobById(_id)).to.deep.equal({ ...job, _id });
    });

    it('has no job under an id that is none', async () => {
      expect(await jobs.getJobById('nothing')).to.equal(null);
    });

    it('keeps who changed a job last', async () => {
      const saved = await jobs.saveJob(aJob(), { lastModifiedBy: 'worker 1' });
      expect(saved.lastModifiedBy).to.equal('worker 1');
    });

    it('changes a job that is saved under its id, but not what its processor wrote', async () => {
      const saved = await save();
      const locked = await next(jobs);
      await jobs.saveJob({ ...saved, priority: 20, data: { changed: true } }, undefined);
      const stored = await jobs.getJobById(saved._id);
      expect(stored).to.deep.include({ priority: 20, data: { changed: true }, lockedAt: locked?.lockedAt });
    });

    it('gives back what it was given when the job to change is gone', async () => {
      const saved = await save();
      await jobs.removeJobs({ id: saved._id });
      expect(await jobs.saveJob(saved, undefined)).to.deep.equal(saved);
      expect((await jobs.queryJobs()).total).to.equal(0);
    });

    it('has one job of type single for each name, whose next run an earlier moment does not change', async () => {
      const first = await save({ type: 'single', nextRunAt: ahead(MINUTE), data: 1 });
      const second = await save({ type: 'single', nextRunAt: ago(1), data: 2 });
      const third = await save({ type: 'single', nextRunAt: ahead(2 * MINUTE), data: 3 });
      expect([second._id, third._id]).to.deep.equal([first._id, first._id]);
      expect(second.nextRunAt).to.deep.equal(first.nextRunAt);
      expect(third.nextRunAt).to.not.deep.equal(first.nextRunAt);
      expect((await jobs.queryJobs()).jobs.map((job) => job.data)).to.deep.equal([3]);
    });

    it('has one job for each unique value, and keeps it as it is if asked to insert only', async () => {
      const unique = { 'data.user': { id: 7 } };
      const first = await save({ unique, data: { user: { id: 7 }, n: 1 } });
      const other = await save({ unique: { 'data.user': { id: 8 } }, data: { user: { id: 8 } } });
      const second = await save({ unique, data: { user: { id: 7 }, n: 2 } });
      const kept = await save({ unique, uniqueOpts: { insertOnly: true }, data: { user: { id: 7 }, n: 3 } });
      expect(other._id).to.not.equal(first._id);
      expect([second._id, kept._id]).to.deep.equal([first._id, first._id]);
      expect((await jobs.getJobById(first._id))?.data).to.deep.equal({ user: { id: 7 }, n: 2 });
      expect((await jobs.getJobById(first._id))?.unique).to.equal(undefined);
    });

    it('puts a debounced job off at each save, but not past its longest wait', async () => {
      const debounced = (delay: number, maxWait?: number) =>
        save({
          unique: { 'data.key': 1 },
          data: { key: 1 },
          uniqueOpts: { debounce: { delay, ...(maxWait === undefined ? {} : { maxWait }) } },
        });
      const before = Date.now();
      const first = await debounced(MINUTE);
      expect(first.nextRunAt?.getTime()).to.be.within(before + MINUTE, Date.now() + MINUTE);
      const second = await debounced(2 * MINUTE);
      expect(second.nextRunAt?.getTime()).to.be.at.least(before + 2 * MINUTE);
      const started = first.debounceStartedAt?.getTime() ?? 0;
      expect((await debounced(2 * MINUTE, MINUTE)).nextRunAt?.getTime()).to.equal(started + MINUTE);
      const forced = await debounced(2 * MINUTE, 0);
      expect(forced.nextRunAt?.getTime()).to.be.at.most(Date.now());
      expect(forced.debounceStartedAt).to.equal(undefined);
      expect((await jobs.queryJobs()).total).to.equal(1);
    });

    it('runs a job that is debounced at its leading edge at once, and keeps that moment', async () => {
      const leading = (n: number) =>
        save({
          nextRunAt: new Date(),
          unique: { 'data.key': 1 },
          data: { key: 1, n },
          uniqueOpts: { debounce: { delay: MINUTE, strategy: 'leading' } },
        });
      const first = await leading(1);
      const second = await leading(2);
      expect(second.nextRunAt).to.deep.equal(first.nextRunAt);
      expect(second.data).to.deep.equal({ key: 1, n: 2 });
    });
  });

  describe('as a list of jobs', () => {
    beforeEach(async () => {
      await save({ name: 'mail', priority: 1, data: { to: { id: 1 }, n: 1 } });
      await save({ name: 'mail', priority: 3, nextRunAt: ahead(MINUTE), data: { to: { id: 2 } } });
      await save({ name: 'purge_all', priority: 2, nextRunAt: null });
      await save({ name: 'purge_all', disabled: true });
      await save({ name: 'sweep', nextRunAt: ahead(MINUTE), repeatInterval: '1 hour' });
    });

    const found = async (options: Parameters<JobRepository['queryJobs']>[0]) => {
      const { jobs: list, total } = await jobs.queryJobs(options);
      return `${total}: ${list.map((job) => `${job.name} ${job.state}`).join(', ')}`;
    };

    it('filters by name, names, text, state, data and whether disabled', async () => {
      expect(await found({ name: 'sweep' })).to.equal('1: sweep repeating');
      expect((await jobs.queryJobs({ names: ['sweep', 'mail'] })).total).to.equal(3);
      expect((await jobs.queryJobs({ search: 'PURGE_' })).total).to.equal(2);
      expect(await found({ state: 'scheduled' })).to.equal('1: mail scheduled');
      expect(await found({ state: 'paused' })).to.equal('1: purge_all paused');
      expect(await found({ data: { to: { id: 1 } } })).to.equal('1: mail queued');
      expect((await jobs.queryJobs({ includeDisabled: false })).total).to.equal(4);
      expect((await jobs.queryJobs({ names: [] })).total).to.equal(5);
      expect(await found({ id: 'none' })).to.equal('0: ');
    });

    it('sorts, and cuts out a part while it counts all', async () => {
      const byPriority = await jobs.queryJobs({ sort: { priority: 'desc' }, skip: 1, limit: 2 });
      expect(byPriority.jobs.map((job) => job.priority)).to.deep.equal([2, 1]);
      expect(byPriority.total).to.equal(5);
      const last = await jobs.queryJobs({ sort: { name: 'asc', priority: 'asc' } });
      expect(last.jobs.map((job) => `${job.name} ${job.priority}`)).to.deep.equal([
        'mail 1',
        'mail 3',
        'purge_all 0',
        'purge_all 2',
        'sweep 0',
      ]);
      expect((await jobs.queryJobs()).jobs.at(-1)?.nextRunAt).to.equal(null);
    });

    it('counts the states of each name as the list shows them', async () => {
      await next(jobs, 'mail');
      const failing = await save({ name: 'failing' });
      await jobs.saveJobState(
        { ...failing, nextRunAt: null, failedAt: new Date(), lastFinishedAt: new Date() },
        undefined,
      );
      const overview = await jobs.getJobsOverview();
      for (const { name, total, ...states } of overview) {
        const listed = await jobs.queryJobs({ name });
        expect(listed.total).to.equal(total);
        for (const [state, count] of Object.entries(states)) {
          expect(
            listed.jobs.filter((job) => job.state === state),
            `${name} ${state}`,
          ).to.have.length(count);
        }
      }
      expect(overview.map(({ name }) => name)).to.deep.equal(['failing', 'mail', 'purge_all', 'sweep']);
      expect(await jobs.getDistinctJobNames()).to.deep.equal(['failing', 'mail', 'purge_all', 'sweep']);
    });

    it('counts the jobs whose moment has come', async () => {
      expect(await jobs.getQueueSize()).to.equal(2);
    });

    it('removes what is meant, and nothing where nothing is', async () => {
      expect(await jobs.removeJobs({})).to.equal(0);
      expect(await jobs.removeJobs({ ids: [], notNames: [] })).to.equal(0);
      expect(await jobs.removeJobs({ name: 'mail', data: { to: { id: 2 } } })).to.equal(1);
      expect(await jobs.removeJobs({ notNames: ['mail', 'sweep'] })).to.equal(2);
      expect(await jobs.removeJobs({ names: ['sweep', 'other'] })).to.equal(1);
      expect(await jobs.purgeAllJobs()).to.equal(1);
      expect((await jobs.queryJobs()).total).to.equal(0);
    });

    it('disables jobs, so that they are not run, and enables them', async () => {
      expect(await jobs.disableJobs({ name: 'mail' })).to.equal(2);
      expect(await next(jobs)).to.equal(undefined);
      expect(await jobs.enableJobs({ name: 'mail' })).to.equal(2);
      expect((await next(jobs))?.priority).to.equal(1);
    });
  });

  describe('as a keeper of locks', () => {
    it('gives the job due first, then the one of highest priority, and each once', async () => {
      const moment = ago(2_000);
      await save({ data: 'third' });
      await save({ nextRunAt: moment, priority: 1, data: 'second' });
      await save({ nextRunAt: moment, priority: 2, data: 'first' });
      await save({ nextRunAt: ahead(MINUTE), data: 'not due' });
      await save({ name: 'other' });
      const given = [];
      for (let job = await next(jobs); job; job = await next(jobs)) given.push(job.data);
      expect(given).to.deep.equal(['first', 'second', 'third']);
    });

    it('gives a job again whose holder was not heard of for the lifetime of its lock', async () => {
      await save();
      const first = await next(jobs);
      expect(await next(jobs)).to.equal(undefined);
      const again = await next(jobs, 'mail', ahead(1_000));
      expect(again?._id).to.equal(first?._id);
    });

    it('refuses the state that a worker saves under a lock that another one has by now', async () => {
      const { _id } = await save();
      const stale = await next(jobs);
      const holder = await next(jobs, 'mail', ahead(1_000));
      if (!stale || !holder) throw new Error('The job was not given');
      expect(await refusal(jobs.saveJobState({ ...stale, nextRunAt: null }, undefined)))
        .to.be.an('error')
        .with.property('message')
        .that.matches(/held by another worker/);
      await jobs.unlockJob(stale);
      expect((await jobs.getJobById(_id))?.lockedAt).to.deep.equal(holder.lockedAt);
      await jobs.saveJobState({ ...holder, progress: 50 }, undefined);
      const { lockedAt: _, ...released } = holder;
      await jobs.saveJobState({ ...released, nextRunAt: ahead(MINUTE) }, undefined);
      expect(await refusal(jobs.saveJobState(holder, undefined))).to.be.an('error');
      expect(await jobs.getJobById(_id)).to.not.have.any.keys('lockedAt');
    });

    it('leaves a job to the worker that has its lock when another one that had it removes it', async () => {
      const { _id } = await save();
      const stale = await next(jobs);
      const holder = await next(jobs, 'mail', ahead(1_000));
      if (!stale || !holder) throw new Error('The job was not given');
      expect(await jobs.removeJobs({ ...stale, id: _id })).to.equal(0);
      expect((await jobs.getJobById(_id))?.lockedAt).to.deep.equal(holder.lockedAt);
      expect(await jobs.removeJobs({ ...holder, id: _id })).to.equal(1);
      expect(await jobs.getJobById(_id)).to.equal(null);
    });

    it('refuses the state of a job that is gone', async () => {
      const saved = await save();
      await jobs.removeJobs({ id: saved._id });
      expect(await refusal(jobs.saveJobState(saved, undefined))).to.be.an('error');
    });

    it('locks a job that nobody holds and that was not moved meanwhile', async () => {
      const saved = await save();
      expect(await jobs.lockJob({ ...saved, nextRunAt: ahead(1) }, undefined)).to.equal(undefined);
      expect((await jobs.lockJob(saved, undefined))?.lockedAt).to.be.instanceOf(Date);
      expect(await jobs.lockJob(saved, undefined)).to.equal(undefined);
    });

    it('gives jobs back that are unlocked', async () => {
      await save({ data: 1 });
      await save({ data: 2 });
      const [first, second] = [await next(jobs), await next(jobs)];
      if (!first || !second?._id) throw new Error('The jobs were not given');
      await jobs.unlockJob(first);
      await jobs.unlockJobs([second._id, 'none']);
      expect([(await next(jobs))?.data, (await next(jobs))?.data]).to.have.members([1, 2]);
    });
  });

  describe('under Agenda', () => {
    const settled = async (condition: () => boolean | Promise<boolean>) => {
      for (const deadline = performance.now() + 5_000; performance.now() < deadline;) {
        if (await condition()) return;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      throw new Error('Not so within five seconds');
    };

    // Agenda keeps a timer of half the life of a lock for each job that it ran, and the process waits for it.
    const SHORT_LIFE_MS = 1000;

    it('tells of jobs that were added here and by another connection, while it is started', async () => {
      const agenda = new Agenda({
        backend,
        processEvery: 10_000,
        removeOnComplete: true,
        defaultLockLifetime: SHORT_LIFE_MS,
      });
      const ran: unknown[] = [];
      agenda.define('mail', (job, done) => {
        ran.push(job.attrs.data);
        done();
      });
      await agenda.start();
      try {
        await agenda.now('mail', 'here');
        await settled(() => ran.length === 1);
        const other = (await folder.open()).agendaBackend();
        await other.repository.saveJob(aJob({ data: 'there' }), undefined);
        await settled(() => ran.length === 2);
        expect(ran).to.deep.equal(['here', 'there']);
        await settled(async () => (await jobs.queryJobs()).total === 0);
      } finally {
        await agenda.stop();
      }
      expect(backend.notificationChannel.state).to.equal('disconnected');
    });

    it('repeats what is to be repeated', async () => {
      const agenda = new Agenda({ backend, processEvery: 20, defaultLockLifetime: SHORT_LIFE_MS });
      let runs = 0;
      agenda.define('tick', (_, done) => {
        runs++;
        done();
      });
      await agenda.start();
      try {
        await agenda.every('0.02 seconds', 'tick');
        await settled(() => runs >= 3);
        expect((await jobs.queryJobs()).total).to.equal(1);
      } finally {
        await agenda.stop();
      }
    });
  });
});
