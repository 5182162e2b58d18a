import type { BlobStore } from '@palimpsest/core';
import { MemoryClock, MemoryJobQueue, MemoryStore, openMemory, type MemoryPorts } from '@palimpsest/memory';
import { expect } from 'chai';
import { describeAccountRepository } from '../src/account-repository/contract.ts';
import { describeAccountTokenRepository } from '../src/account-token-repository/contract.ts';
import { describeBlobStore } from '../src/blob-store/contract.ts';
import { describeDocumentRepository } from '../src/document-repository/contract.ts';
import { expectCaught } from '../src/expect-caught.ts';
import { NO_CONNECTION } from '../src/kit/faults.ts';
import type { Open, Without } from '../src/kit/harness.ts';
import { describeIdempotencyRepository } from '../src/idempotency-repository/contract.ts';
import { describeJobQueue, type TimedJobQueue } from '../src/job-queue/contract.ts';
import { describeMailLedger } from '../src/mail-ledger/contract.ts';
import { limitMutants } from '../src/mutants/limit-mutants.ts';
import { lookalikeMutants } from '../src/mutants/lookalike-mutants.ts';
import type { Mutants } from '../src/mutants/mutant.ts';
import { describePageRepository } from '../src/page-repository/contract.ts';
import { describeRevisionRepository } from '../src/revision-repository/contract.ts';
import { describeSearchIndex } from '../src/search-index/contract.ts';
import { describeSessionRepository } from '../src/session-repository/contract.ts';

const without: Without = {
  openSecond: 'one handle is enough',
  reopen: 'memory ends with its process',
  faults: NO_CONNECTION,
};

const inMemory =
  <T>(part: (ports: MemoryPorts) => T): Open<T> =>
  async () => ({ subject: part(openMemory()), close: async () => {} });

const describeCatching = <T extends object>(
  port: string,
  describeSuite: (name: string, open: Open<T>, without: Without) => void,
  open: Open<T>,
  mutants: Mutants<T>,
): void =>
  void describe(`the contract of ${port}, of a backend that is nearly right,`, () => {
    for (const [flaw, make] of Object.entries(mutants)) {
      it(`catches one that ${flaw}`, async () => {
        const suite = () => describeSuite('Mutant', make(open), without);
        expect(await expectCaught(suite, { bail: true, timeoutMs: 20_000 })).to.not.be.empty;
      });
    }
  });

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
const blobs = inMemory<BlobStore>((ports) => ports.blobs);
const [few, alike] = [limitMutants, lookalikeMutants];

describeCatching(
  'DocumentRepository',
  describeDocumentRepository,
  inMemory((ports) => ports.documents),
  { ...few.documents, ...alike.documents },
);
describeCatching(
  'PageRepository',
  describePageRepository,
  inMemory((ports) => ports.pages),
  { ...few.pages, ...alike.pages },
);
describeCatching(
  'RevisionRepository',
  describeRevisionRepository,
  inMemory((ports) => ports.revisions),
  { ...few.revisions, ...alike.revisions },
);
describeCatching(
  'SearchIndex',
  describeSearchIndex,
  inMemory((ports) => ports.searchIndex),
  { ...few.searchIndex, ...alike.searchIndex },
);
describeCatching(
  'AccountRepository',
  describeAccountRepository,
  inMemory((ports) => ports.accounts),
  { ...few.accounts, ...alike.accounts },
);
describeCatching(
  'SessionRepository',
  describeSessionRepository,
  inMemory((ports) => ports.sessions),
  { ...few.sessions, ...alike.sessions },
);
describeCatching(
  'AccountTokenRepository',
  describeAccountTokenRepository,
  inMemory((ports) => ports.accountTokens),
  { ...few.accountTokens, ...alike.accountTokens },
);
describeCatching(
  'IdempotencyRepository',
  describeIdempotencyRepository,
  inMemory((ports) => ports.idempotency),
  { ...few.idempotency, ...alike.idempotency },
);
describeCatching(
  'MailLedger',
  describeMailLedger,
  inMemory((ports) => ports.mailLedger),
  { ...few.mailLedger, ...alike.mailLedger },
);
describeCatching('JobQueue', describeJobQueue, jobs, few.jobs);
describeCatching('BlobStore', describeBlobStore, blobs, few.blobs);
