import type { BlobStore, JobQueue } from '@palimpsest/core';
import {
  MemoryClock,
  MemoryJobQueue,
  MemoryRateCounters,
  MemoryStore,
  openMemory,
  type MemoryPorts,
} from '@palimpsest/memory';
import { expect } from 'chai';
import { accountFaultCases } from '../src/account-repository/faults.ts';
import { accountTokenFaultCases } from '../src/account-token-repository/faults.ts';
import { documentFaultCases } from '../src/document-repository/faults.ts';
import { idempotencyFaultCases } from '../src/idempotency-repository/faults.ts';
import { mailLedgerFaultCases } from '../src/mail-ledger/faults.ts';
import { pageFaultCases } from '../src/page-repository/faults.ts';
import { revisionFaultCases } from '../src/revision-repository/faults.ts';
import { searchFaultCases } from '../src/search-index/faults.ts';
import { sessionFaultCases } from '../src/session-repository/faults.ts';
import { blobFaultCases, describeBlobFaults } from '../src/blob-store/faults.ts';
import { expectCaught, runInside } from '../src/expect-caught.ts';
import { describeFaults, type FaultCase } from '../src/kit/fault-cases.ts';
import { openForEach, type Open } from '../src/kit/harness.ts';
import { jobFaultCases } from '../src/job-queue/faults.ts';
import { describeJobQueue, type TimedJobQueue } from '../src/job-queue/contract.ts';
import { mailFaultCases, type WatchedMailer } from '../src/mailer/contract.ts';
import {
  called,
  calledBlobStore,
  isConnectionReset,
  overConnection,
  soundConduct,
  type BlobConduct,
  type Conduct,
  type FakeConnection,
} from '../src/mutants/fake-connection.ts';
import { blobFaultMutants, faultMutants, losesOverlappingCalls, repeatsBlindly } from '../src/mutants/fault-mutants.ts';
import { describeRateCountersFaults } from '../src/rate-counters/faults.ts';
import type { TimedRateCounters } from '../src/rate-counters/contract.ts';

const PATIENCE = { timeoutMs: 20_000 };
const IMPATIENCE = { timeoutMs: 400, bail: true };
// For those that wait in the first test already, in which a sound one waits for nothing.
const NO_PATIENCE = { timeoutMs: 100, bail: true };
const waiting: readonly string[] = ['waits for ever when the connection is cut', 'never connects again'];

const inMemory =
  <T>(part: (ports: MemoryPorts) => T): Open<T> =>
  async () => ({ subject: part(openMemory()), close: async () => {} });

/** How a port is reached over a connection that behaves as `conduct` has it, and what is tried on it. */
interface Trial<T extends object> {
  readonly over: (conduct: Conduct) => Open<T>;
  readonly cases: readonly FaultCase<T>[];
  readonly repeatsMatter: boolean; // whether repeating a call that took effect makes a difference
  readonly overlap?: boolean; // whether looking is a call over the connection too; it is, if left out
}

const trial = <T extends object>(open: Open<T>, cases: readonly FaultCase<T>[], repeatsMatter = true): Trial<T> => ({
  over: (conduct) => overConnection(open, conduct),
  cases,
  repeatsMatter,
});

const openMailer: Open<WatchedMailer> = async () => {
  const { mailer } = openMemory();
  const delivered: WatchedMailer['delivered'] = async () =>
    mailer.delivered.map(({ envelope, to, date, messageId, subject, text, html }) => ({
      messageId,
      subject,
      text,
      html,
      from: envelope.from,
      to: [to],
      dateMs: date / 1000,
      attachments: [],
    }));
  return { subject: { mailer, delivered }, close: async () => {} };
};

const blobs = inMemory<BlobStore>((ports) => ports.blobs);
const jobs: Open<TimedJobQueue> = async () => {
  const clock = new MemoryClock();
  return {
    subject: {
      jobs: new MemoryJobQueue(new MemoryStore(), { clock }),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
    },
    close: async () => {},
  };
};

/** Has a sound adapter pass, and every mutant caught. */
const describeTrial = <T extends object>(
  port: string,
  { over, cases, repeatsMatter, overlap = true }: Trial<T>,
): void => {
  const suite = (conduct: Conduct, tried: readonly FaultCase<T>[]) => () =>
    describe('A port', () => describeFaults(openForEach(over(conduct)), {}, (subject) => subject, tried));

  describe(`the tests of faults of ${port}`, () => {
    it('pass an adapter that says when its connection fails', async () => {
      const run = await runInside(suite(soundConduct, cases), PATIENCE);
      expect(run.errors).to.deep.equal([]);
      expect(run.passed).to.have.length(cases.length * 7);
    });

    for (const [flaw, conduct] of Object.entries(faultMutants)) {
      it(`catch one that ${flaw}`, async () => {
        expect(await expectCaught(suite(conduct, cases.slice(0, 1)), waiting.includes(flaw) ? NO_PATIENCE : IMPATIENCE))
          .to.not.be.empty;
      });
    }

    if (repeatsMatter) {
      it('catch one that repeats a request of which it does not know whether it was carried out', async () => {
        expect(await expectCaught(suite(repeatsBlindly, cases), IMPATIENCE)).to.not.be.empty;
      });
    }

    if (overlap) {
      it('catch one that loses a call while another one is under way', async () => {
        expect(
          await expectCaught(
            suite(losesOverlappingCalls, cases.filter((one) => 'before' in one).slice(0, 1)),
            IMPATIENCE,
          ),
        ).to.not.be.empty;
      });
    }
  });
};

describeTrial(
  'DocumentRepository',
  trial(
    inMemory((ports) => ports.documents),
    documentFaultCases,
  ),
);
describeTrial(
  'PageRepository',
  trial(
    inMemory((ports) => ports.pages),
    pageFaultCases,
    false,
  ),
);
describeTrial(
  'RevisionRepository',
  trial(
    inMemory((ports) => ports.revisions),
    revisionFaultCases,
  ),
);
describeTrial(
  'SearchIndex',
  trial(
    inMemory((ports) => ports.searchIndex),
    searchFaultCases,
    false,
  ),
);
describeTrial(
  'AccountRepository',
  trial(
    inMemory((ports) => ports.accounts),
    accountFaultCases,
  ),
);
describeTrial(
  'SessionRepository',
  trial(
    inMemory((ports) => ports.sessions),
    sessionFaultCases,
  ),
);
describeTrial(
  'AccountTokenRepository',
  trial(
    inMemory((ports) => ports.accountTokens),
    accountTokenFaultCases,
  ),
);
describeTrial(
  'IdempotencyRepository',
  trial(
    inMemory((ports) => ports.idempotency),
    idempotencyFaultCases,
  ),
);
describeTrial(
  'MailLedger',
  trial(
    inMemory((ports) => ports.mailLedger),
    mailLedgerFaultCases,
  ),
);
describeTrial('JobQueue', {
  ...trial(
    inMemory<JobQueue>((ports) => ports.jobs),
    jobFaultCases,
  ),
  overlap: false, // the look at the jobs runs them
});
describeTrial('BlobStore', {
  over: (conduct) => overConnection(blobs, conduct, calledBlobStore()),
  cases: blobFaultCases,
  repeatsMatter: true,
});
describeTrial('Mailer', {
  over: (conduct) =>
    overConnection(openMailer, conduct, ({ mailer, delivered }, send) => ({ mailer: called(mailer, send), delivered })),
  cases: mailFaultCases(),
  overlap: false,
  repeatsMatter: false, // a station may keep one of several mails with the same Message-ID
});

describe('the tests of a blob under way', () => {
  const suite = (conduct?: BlobConduct) => () =>
    describe('A BlobStore', () =>
      describeBlobFaults(openForEach(overConnection(blobs, soundConduct, calledBlobStore(conduct))), {}));

  it('pass a store that says when its connection fails', async () => {
    const run = await runInside(suite(), PATIENCE);
    expect(run.errors).to.deep.equal([]);
  });

  for (const [flaw, conduct] of Object.entries(blobFaultMutants)) {
    it(`catch one that ${flaw}`, async () => {
      const caught = await expectCaught(suite(conduct), { timeoutMs: 2_000 });
      expect(caught.join()).to.match(/a blob under way/);
    });
  }
});

describe('the tests of a worker whose connection fails', () => {
  it('pass a queue over a connection, with everything else that a JobQueue promises', async () => {
    const run = await runInside(
      () =>
        describeJobQueue(
          'Sound',
          overConnection(jobs, soundConduct, ({ jobs: sound, ...time }, send) => ({
            ...time,
            jobs: called(sound, send),
          })),
          { openSecond: 'none', reopen: 'none' },
        ),
      PATIENCE,
    );
    expect(run.errors).to.deep.equal([]);
    expect(run.passed.join()).to.match(/a worker runs new jobs after its connection was cut/);
  });

  it('catch a queue whose worker ends with its connection', async () => {
    const endsWithIt = (
      { jobs: sound, ...time }: TimedJobQueue,
      send: ReturnType<Conduct>,
      { whole }: FakeConnection,
    ): TimedJobQueue => ({
      ...time,
      jobs: {
        enqueue: (...given) => send(() => sound.enqueue(...given)),
        work: async (handlers, onError) => {
          const worker = await send(() => sound.work(handlers, onError));
          whole.addEventListener('abort', () => void worker.stop(0));
          return worker;
        },
      },
    });
    const open = overConnection(jobs, soundConduct, endsWithIt);
    const caught = await expectCaught(() => describeJobQueue('Mutant', open, { openSecond: 'none', reopen: 'none' }), {
      timeoutMs: 2_000,
      bail: true,
    });
    expect(caught.join()).to.match(/a worker runs new jobs/);
  });
});

describe('the tests of faults of RateCounters', () => {
  const openCounters: Open<TimedRateCounters> = async () => {
    const clock = new MemoryClock();
    const counters = new MemoryRateCounters(new MemoryStore(), clock);
    return { subject: { counters, advance: (ms) => clock.advance(ms), now: () => clock.now() }, close: async () => {} };
  };

  /** Counters over a connection; those of the process itself step in when it fails, if there are any. */
  const over = (insured: boolean): Open<TimedRateCounters> =>
    overConnection(openCounters, soundConduct, (sound, send) => {
      const remote = called(sound.counters, send);
      const clock = { now: sound.now };
      const local = new MemoryRateCounters(new MemoryStore(), clock);
      const either = async <R>(there: () => Promise<R>, here: () => Promise<R>): Promise<R> => {
        try {
          return await there();
        } catch (error) {
          if (!insured || isConnectionReset(error)) throw error;
          return await here();
        }
      };
      return {
        ...sound,
        counters: {
          hit: (key, windowMs) =>
            either(
              () => remote.hit(key, windowMs),
              () => local.hit(key, windowMs),
            ),
          peek: (key) =>
            either(
              () => remote.peek(key),
              () => local.peek(key),
            ),
          takeBack: (key) =>
            either(
              () => remote.takeBack(key),
              () => local.takeBack(key),
            ),
          clear: (key) =>
            either(
              () => remote.clear(key),
              () => local.clear(key),
            ),
        },
      };
    });

  const suite = (insured: boolean) => () =>
    describe('RateCounters', () => describeRateCountersFaults(openForEach(over(insured)), {}));

  it('pass counters that count in their process while their backend is out of reach', async () => {
    const run = await runInside(suite(true), PATIENCE);
    expect(run.errors).to.deep.equal([]);
    expect(run.passed).to.have.length(5);
  });

  it('catch counters that throw', async () => {
    expect(await expectCaught(suite(false))).to.have.length(4);
  });
});
