import type { MongoAgendaBackend } from '@palimpsest/mongodb';
import type { JobParameters, JobRepository } from 'agenda';
import { expect } from 'chai';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

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

await describeOnMongo('MongoAgendaBackend', (server) => {
  const database = databaseForSuite(server);
  let backend: MongoAgendaBackend;
  let jobs: JobRepository;

  beforeEach(async () => {
    backend = (await database().open()).agendaBackend();
    jobs = backend.repository;
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
        data: { deep: [{ text: 'Grüße' }] },
      });
      const { _id, ...saved } = await save(job);
      expect(saved).to.deep.equal(job);
      expect(await jobs.getJobById(_id)).to.deep.equal({ ...job, _id });
    });

    it('has no job under an id that is none', async () => {
      expect(await jobs.getJobById('nothing')).to.equal(null);
    });

    it('has one job of type single for each name, and one for each unique value', async () => {
      const single = [await save({ type: 'single', data: 1 }), await save({ type: 'single', data: 2 })];
      expect(single[1]?._id).to.equal(single[0]?._id);
      const unique = { 'data.user': 7 };
      const first = await save({ name: 'other', unique, data: { user: 7, n: 1 } });
      const second = await save({ name: 'other', unique, data: { user: 7, n: 2 } });
      expect(second._id).to.equal(first._id);
      expect((await jobs.queryJobs()).total).to.equal(2);
    });

    it('keeps one job, however its answer got lost', async () => {
      for (const lost of [1, 2]) {
        await database().faults.loseAnswers(lost);
        await save();
        await database().faults.restore();
        expect((await jobs.queryJobs()).total).to.equal(lost);
      }
    });

    it('counts the states of each name', async () => {
      await save({ priority: 1 });
      await save({ nextRunAt: ahead(MINUTE) });
      await save({ nextRunAt: null });
      await save({ disabled: true });
      await save({ name: 'sweep', repeatInterval: '1 hour' });
      const failing = await save({ name: 'sweep' });
      await jobs.saveJobState({ ...failing, nextRunAt: null, failedAt: new Date(), lastFinishedAt: ago(1) }, undefined);
      await save({ name: 'sweep', nextRunAt: ago(10_000) });
      await next(jobs, 'sweep');
      const none = { running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };
      expect(await jobs.getJobsOverview()).to.deep.equal([
        { ...none, name: 'mail', total: 4, queued: 1, scheduled: 1, completed: 1, paused: 1 },
        { ...none, name: 'sweep', total: 3, repeating: 1, failed: 1, running: 1 },
      ]);
      expect(await jobs.getDistinctJobNames()).to.have.members(['mail', 'sweep']);
      expect(await jobs.getQueueSize()).to.equal(4);
    });

    it('removes what is meant, and nothing where nothing is', async () => {
      const { _id } = await save();
      await save({ name: 'sweep' });
      expect(await jobs.removeJobs({})).to.equal(0);
      expect(await jobs.removeJobs({ id: 'none' })).to.equal(0);
      expect(await jobs.removeJobs({ id: _id })).to.equal(1);
      expect(await jobs.disableJobs({ name: 'sweep' })).to.equal(1);
      expect(await next(jobs, 'sweep')).to.equal(undefined);
      expect(await jobs.enableJobs({ name: 'sweep' })).to.equal(1);
      expect(await next(jobs, 'sweep')).to.have.property('name', 'sweep');
      expect(await jobs.purgeAllJobs()).to.equal(1);
    });
  });

  describe('as a keeper of locks', () => {
    it('gives the job due first, then the one of highest priority, then the oldest, and each once', async () => {
      const moment = ago(2_000);
      await save({ data: 'last' });
      await save({ nextRunAt: moment, priority: 1, data: 'second' });
      await save({ nextRunAt: moment, priority: 1, data: 'third' });
      await save({ nextRunAt: moment, priority: 2, data: 'first' });
      await save({ nextRunAt: ahead(MINUTE), data: 'not due' });
      await save({ name: 'other' });
      const given = [];
      for (let job = await next(jobs); job; job = await next(jobs)) given.push(job.data);
      expect(given).to.deep.equal(['first', 'second', 'third', 'last']);
    });

    it('gives first a job whose holder was not heard of for the lifetime of its lock', async () => {
      await save({ data: 'lost' });
      await next(jobs);
      expect(await next(jobs)).to.equal(undefined);
      await save({ nextRunAt: ago(MINUTE), data: 'due' });
      expect((await next(jobs, 'mail', ahead(1_000)))?.data).to.equal('lost');
    });

    it('lets a worker change nothing under a lock that another one has by now', async () => {
      const { _id } = await save();
      const stale = await next(jobs);
      const holder = await next(jobs, 'mail', ahead(1_000));
      if (!stale || !holder) throw new Error('The job was not given');
      const held = await jobs.getJobById(_id);
      expect(await refusal(jobs.saveJobState({ ...stale, nextRunAt: null }, undefined)))
        .to.be.an('error')
        .with.property('message')
        .that.matches(/held by another worker/);
      expect(await refusal(jobs.saveJobState({ ...stale, lockedAt: ahead(MINUTE) }, undefined))).to.be.an('error');
      await jobs.unlockJob(stale);
      expect(await jobs.removeJobs({ ...stale, id: _id })).to.equal(0);
      expect(await jobs.getJobById(_id)).to.deep.equal(held);
      await jobs.saveJobState({ ...holder, progress: 50 }, undefined);
      const { lockedAt: _, ...released } = holder;
      await jobs.saveJobState({ ...released, nextRunAt: ahead(MINUTE) }, undefined);
      expect(await refusal(jobs.saveJobState(holder, undefined))).to.be.an('error');
      expect(await jobs.getJobById(_id)).to.not.have.any.keys('lockedAt');
    });

    it('lets its holder remove a job', async () => {
      const { _id } = await save();
      const holder = await next(jobs);
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

    it('gives a job to one of many that ask at once', async () => {
      const other = (await database().open()).agendaBackend().repository;
      for (let n = 0; n < 20; n++) await save({ data: n });
      const given = await Promise.all(Array.from({ length: 60 }, (_, i) => next(i % 2 === 0 ? jobs : other)));
      expect(given.filter((job) => job !== undefined).map((job) => job.data)).to.have.members(
        Array.from({ length: 20 }, (_, n) => n),
      );
    });

    it('gives at the next look a job whose lock was stored and not heard of', async () => {
      await save({ data: 'lost' });
      // The search for jobs whose holders are gone gets its answer.
      database().loseAfter(1, 'answer');
      await database().faults.loseAnswers(Infinity);
      expect(await refusal(next(jobs))).to.have.property('code', 'SERVICE_UNAVAILABLE');
      await database().faults.restore();
      expect((await jobs.queryJobs({ state: 'running' })).total).to.equal(1);
      await save({ nextRunAt: ago(MINUTE), data: 'due' });
      const given = await next(jobs);
      expect([given?.data, (await next(jobs))?.data]).to.have.members(['lost', 'due']);
    });
  });

  it('finds jobs by an index, whether they wait or were lost', async () => {
    const { db } = await database().connect();
    await db
      .collection('jobs')
      .insertMany(
        Array.from({ length: 2_000 }, (_, i) => ({ name: 'mail', priority: 0, nextRunAt: ahead(MINUTE + i) })),
      );
    const stages = (plan: unknown): string[] =>
      typeof plan === 'object' && plan !== null
        ? Object.entries(plan).flatMap(([key, value]) => (key === 'stage' ? [String(value)] : stages(value)))
        : [];
    const isDisabled = { $ne: true };
    for (const [filter, sort] of [
      [
        { name: 'mail', lockedAt: null, nextRunAt: { $lte: new Date() }, disabled: isDisabled },
        { nextRunAt: 1, priority: -1, _id: 1 },
      ],
      [{ name: 'mail', lockedAt: { $lte: ago(MINUTE) }, disabled: isDisabled }, { lockedAt: 1 }],
    ] as const) {
      const { queryPlanner } = await db.collection('jobs').find(filter).sort(sort).limit(1).explain();
      const plan = stages(queryPlanner.winningPlan);
      expect(plan).to.include('IXSCAN');
      expect(plan).to.not.include('COLLSCAN').and.not.include('SORT');
    }
    await save({ data: 'due' });
    expect((await next(jobs))?.data).to.equal('due');
  });

  it('says that the database is away, or closed, with SERVICE_UNAVAILABLE', async () => {
    await database().faults.failNext(Infinity);
    database().proxy.refuseNext(Infinity);
    database().proxy.dropConnections();
    for (const work of [
      () => backend.connect(),
      () => jobs.saveJob(aJob(), undefined),
      () => next(jobs),
      () => jobs.getJobsOverview(),
      () => jobs.queryJobs(),
    ]) {
      expect(await refusal(work())).to.have.property('code', 'SERVICE_UNAVAILABLE');
    }
  });
});
