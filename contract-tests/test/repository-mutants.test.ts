import {
  MemoryAccountRepository,
  MemoryAccountTokenRepository,
  MemoryClock,
  MemoryDocumentRepository,
  MemoryFaultLog,
  MemoryIdempotencyRepository,
  MemoryJobQueue,
  MemoryMailLedger,
  MemoryPageRepository,
  MemoryRevisionRepository,
  MemorySessionRepository,
  MemoryStore,
} from '@palimpsest/memory';
import { expect } from 'chai';
import { describeAccountRepository } from '../src/account-repository/contract.ts';
import { describeAccountTokenRepository } from '../src/account-token-repository/contract.ts';
import { describeDocumentRepository } from '../src/document-repository/contract.ts';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import { expectCaught, runInside, type CatchingRules } from '../src/expect-caught.ts';
import type { Open, Without } from '../src/kit/harness.ts';
import { describeFaultLog, type ReadableFaultLog } from '../src/fault-log/contract.ts';
import { describeIdempotencyRepository } from '../src/idempotency-repository/contract.ts';
import { describeJobQueue, type TimedJobQueue } from '../src/job-queue/contract.ts';
import { describeMailLedger } from '../src/mail-ledger/contract.ts';
import { accountRepositoryMutants } from '../src/mutants/account-repository-mutants.ts';
import { accountTokenRepositoryMutants, plainAccountTokens } from '../src/mutants/account-token-repository-mutants.ts';
import { closedAccountMutants } from '../src/mutants/closed-account-mutants.ts';
import { documentClaimMutants, plainClaims } from '../src/mutants/document-claim-mutants.ts';
import { documentRepositoryMutants } from '../src/mutants/document-repository-mutants.ts';
import { faultLogMutants } from '../src/mutants/fault-log-mutants.ts';
import { idempotencyRepositoryMutants, plainKeyedRequests } from '../src/mutants/idempotency-repository-mutants.ts';
import { jobQueueMutants } from '../src/mutants/job-queue-mutants.ts';
import { mailLedgerMutants, plainMailLedger } from '../src/mutants/mail-ledger-mutants.ts';
import { mutant, type Mutants } from '../src/mutants/mutant.ts';
import { pageRepositoryMutants } from '../src/mutants/page-repository-mutants.ts';
import { plainRefreshTokens, refreshTokenMutants } from '../src/mutants/refresh-token-mutants.ts';
import { revisionRepositoryMutants } from '../src/mutants/revision-repository-mutants.ts';
import { sessionRepositoryMutants } from '../src/mutants/session-repository-mutants.ts';
import { describePageRepository } from '../src/page-repository/contract.ts';
import { describeRevisionRepository } from '../src/revision-repository/contract.ts';
import { describeSessionRepository } from '../src/session-repository/contract.ts';

const over =
  <T>(make: (store: MemoryStore) => T): Open<T> =>
  async () => {
    const store = new MemoryStore();
    return { subject: make(store), openSecond: async () => make(store), close: async () => {} };
  };

const openFaultLog: Open<ReadableFaultLog> = async () => {
  const log = new MemoryFaultLog();
  const texts = (): string[] =>
    log.reports.map(({ error, doing }) => `${doing}: ${error instanceof Error ? error.message : typeof error}`);
  return { subject: { log, read: texts }, close: async () => {} };
};

const openJobs: Open<TimedJobQueue> = async () => {
  const [store, clock] = [new MemoryStore(), new MemoryClock()];
  const open = (): TimedJobQueue => ({
    jobs: new MemoryJobQueue(store, { clock }),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
  });
  return { subject: open(), openSecond: async () => open(), close: async () => {} };
};

const without: Without = { reopen: 'memory ends with its process', faults: NO_CONNECTION };

/** Has every mutant caught, and an adapter pass that is wrapped as they are and changed in nothing. */
const describeCatching = <T extends object>(
  port: string,
  describeSuite: (name: string, open: Open<T>, without: Without) => void,
  open: Open<T>,
  mutants: Mutants<T>,
  rules: CatchingRules = {},
): void =>
  void describe(`the contract of ${port}`, () => {
    it('passes a sound adapter', async () => {
      const wrapped = mutant<T>(() => () => ({}))(open);
      const run = await runInside(() => describeSuite('Sound', wrapped, without), { timeoutMs: 20_000 });
      expect(run.errors).to.deep.equal([]);
      expect(run.passed).to.not.be.empty;
    });

    for (const [flaw, make] of Object.entries(mutants)) {
      it(`catches one that ${flaw}`, async () => {
        const rest = { bail: true, ...rules };
        expect(await expectCaught(() => describeSuite('Mutant', make(open), without), rest)).to.not.be.empty;
      });
    }
  });

const accountTokens = over((store) => new MemoryAccountTokenRepository(store));
const mailLedger = over((store) => new MemoryMailLedger(store));
const idempotency = over((store) => new MemoryIdempotencyRepository(store));
const documents = over((store) => new MemoryDocumentRepository(store));
const accounts = over((store) => new MemoryAccountRepository(store));
const sessions = over((store) => new MemorySessionRepository(store));

describeCatching('DocumentRepository', describeDocumentRepository, documents, {
  ...documentRepositoryMutants,
  ...documentClaimMutants,
});
describeCatching(
  'PageRepository',
  describePageRepository,
  over((store) => new MemoryPageRepository(store)),
  pageRepositoryMutants,
);
describeCatching(
  'RevisionRepository',
  describeRevisionRepository,
  over((store) => new MemoryRevisionRepository(store)),
  revisionRepositoryMutants,
);
describeCatching('AccountRepository', describeAccountRepository, accounts, {
  ...accountRepositoryMutants,
  ...closedAccountMutants,
});
describeCatching('SessionRepository', describeSessionRepository, sessions, {
  ...sessionRepositoryMutants,
  ...refreshTokenMutants,
});
describeCatching(
  'AccountTokenRepository',
  describeAccountTokenRepository,
  accountTokens,
  accountTokenRepositoryMutants,
);
describeCatching('MailLedger', describeMailLedger, mailLedger, mailLedgerMutants);
describeCatching('IdempotencyRepository', describeIdempotencyRepository, idempotency, idempotencyRepositoryMutants);
describeCatching('JobQueue', describeJobQueue, openJobs, jobQueueMutants);

describeCatching('FaultLog', describeFaultLog, openFaultLog, faultLogMutants);

describe('what the mutants of fairness are made of', () => {
  it('passes the contract of DocumentRepository', async () => {
    const run = await runInside(() => describeDocumentRepository('Plain', plainClaims(documents), without), {
      timeoutMs: 20_000,
    });
    expect(run.errors).to.deep.equal([]);
  });
});

describe('what the mutants of refresh tokens are made of', () => {
  it('passes the contract of SessionRepository', async () => {
    const run = await runInside(() => describeSessionRepository('Plain', plainRefreshTokens(sessions), without));
    expect(run.errors).to.deep.equal([]);
  });
});

describe('what the mutants of mailed tokens, mails and keyed requests are made of', () => {
  it('passes their contracts', async () => {
    const suites = [
      () => describeAccountTokenRepository('Plain', plainAccountTokens(accountTokens), without),
      () => describeMailLedger('Plain', plainMailLedger(mailLedger), without),
      () => describeIdempotencyRepository('Plain', plainKeyedRequests(idempotency), without),
    ];
    for (const suite of suites) expect((await runInside(suite, { timeoutMs: 20_000 })).errors).to.deep.equal([]);
  });
});
