import type { BlobStore, DocumentRepository, RevisionRepository } from '@palimpsest/core';
import { openLocalStorage } from '@palimpsest/local-storage';
import { MemoryClock, MemoryRateCounters, MemoryStore } from '@palimpsest/memory';
import { expect } from 'chai';
import {
  describeRepositoriesAgree,
  inFolder,
  memoryContestant,
  silentOperations,
  sqliteContestant,
} from '../../test/agreement.ts';
import { describeAgreement } from '../src/kit/agreement.ts';
import { blobModel } from '../src/blob-store/model.ts';
import { documentModel } from '../src/document-repository/model.ts';
import { rateCountersModel } from '../src/rate-counters/model.ts';
import { revisionModel } from '../src/revision-repository/model.ts';
import {
  crossCheck,
  CrossCheckDifference,
  operation,
  summaryText,
  type Contestant,
  type OperationModel,
} from '../src/kit/cross-check.ts';
import type { Open } from '../src/kit/harness.ts';
import { mutant } from '../src/mutants/mutant.ts';
import { seededRandom } from '../src/kit/random.ts';
import type { TimedRateCounters } from '../src/rate-counters/contract.ts';

const OPERATIONS = 1000;
const seeds = [20_261_121];
const silent = [...silentOperations, 'delete', 'clear', 'takeBack', 'pass time'];

describeRepositoriesAgree(memoryContestant, sqliteContestant, seeds);

const folder: Contestant<BlobStore> = {
  name: 'folder',
  open: async () => {
    const { handle, close } = await inFolder(
      (path) => openLocalStorage({ folder: path }),
      async () => {},
    );
    return { subject: handle, close };
  },
};
describeAgreement('BlobStore', {
  model: blobModel,
  first: memoryContestant((ports) => ports.blobs),
  second: folder,
  seeds,
  silent,
});

const counters = (name: string, startMs: number): Contestant<TimedRateCounters> => ({
  name,
  open: async () => {
    const clock = new MemoryClock(startMs * 1000);
    const subject = {
      counters: new MemoryRateCounters(new MemoryStore(), clock),
      advance: (ms: number) => clock.advance(ms),
      now: () => clock.now(),
    };
    return { subject, close: async () => {} };
  },
});
describeAgreement('RateCounters', {
  model: rateCountersModel,
  first: counters('one', 1_000),
  second: counters('another', 5_000_000),
  seeds,
  silent,
});

const differenceOf = async (check: Promise<unknown>): Promise<CrossCheckDifference> => {
  const error = await check.catch((thrown: unknown) => thrown);
  if (error instanceof CrossCheckDifference) return error;
  throw new TypeError('No difference was found', { cause: error });
};

/** A number that can be added to and asked for. */
class Tally {
  total = 0;
  readonly #forgetsAt: number;

  constructor(forgetsAt = Infinity) {
    this.#forgetsAt = forgetsAt;
  }

  async add(amount: number): Promise<void> {
    this.total += amount === this.#forgetsAt ? 0 : amount;
  }

  async ask(): Promise<number> {
    return this.total;
  }
}

const tallyModel: OperationModel<Tally> = () => ({
  add: operation(
    (random) => random.below(20),
    (tally, amount) => tally.add(amount),
    5,
  ),
  ask: operation(
    () => undefined,
    (tally) => tally.ask(),
  ),
});

const tally = (name: string, make: () => Tally): Contestant<Tally> => ({
  name,
  open: async () => ({ subject: make(), close: async () => {} }),
});

describe('crossCheck', () => {
  it('finds the shortest log that shows a difference, and prints it with the seed', async () => {
    const rules = {
      seed: 7,
      operations: 500,
      model: tallyModel,
      first: tally('sound', () => new Tally()),
      second: tally('forgetful', () => new Tally(13)),
    };
    const difference = await differenceOf(crossCheck(rules));
    expect(difference.log).to.deep.equal([
      '1. add 13: returns undefined',
      '2. ask undefined\n     sound returns 13\n     forgetful returns 0',
    ]);
    expect(difference.message).to.match(/sound and forgetful differ \(seed 7, operation \d+ of 500\)/);
    expect(difference.message).to.contain(difference.log.join('\n  '));
    expect((await differenceOf(crossCheck({ ...rules, seed: difference.seed }))).log).to.deep.equal(difference.log);
  });

  it('reports an error that no port throws as a difference, even if both adapters throw it', async () => {
    const broken = tally('broken', () =>
      Object.assign(new Tally(), { ask: () => Promise.reject(new Error('disk I/O error')) }),
    );
    const { message } = await differenceOf(
      crossCheck({ operations: 100, model: tallyModel, first: broken, second: broken }),
    );
    expect(message).to.match(/disk I\/O error/);
  });

  it('counts the results of the operations by kind', async () => {
    const sound = tally('sound', () => new Tally());
    const summary = await crossCheck({ seed: 1, operations: 60, model: tallyModel, first: sound, second: sound });
    expect(Object.keys(summary.kinds['add'] ?? {})).to.deep.equal(['undefined']);
    expect(summaryText(summary)).to.match(/^60 operations, seed 1\n {2}\w+: /);
  });

  it('closes both adapters', async () => {
    let open = 0;
    const counted: Open<Tally> = async () => {
      open++;
      return { subject: new Tally(open % 2 === 0 ? 3 : undefined), close: async () => void open-- };
    };
    const contestant = { name: 'counted', open: counted };
    await differenceOf(crossCheck({ operations: 300, model: tallyModel, first: contestant, second: contestant }));
    expect(open).to.equal(0);
  });

  it('finds planted faults of repositories', async () => {
    const documents = memoryContestant((ports) => ports.documents);
    const losesUpdates = mutant<DocumentRepository>(() => (sound) => ({
      replace: async (next) => {
        const stored = await sound.find(next.id);
        return stored !== undefined && (await sound.replace({ ...next, version: stored.version + 1 }));
      },
    }));
    const ofDocuments = await differenceOf(
      crossCheck({
        seed: 3,
        operations: OPERATIONS,
        model: documentModel,
        first: documents,
        second: { name: 'mutant', open: losesUpdates(documents.open) },
      }),
    );
    expect(ofDocuments.log.length, ofDocuments.message).to.be.at.most(3);

    const revisions = memoryContestant((ports) => ports.revisions);
    const neverConflicts = mutant<RevisionRepository>(() => (sound) => ({
      append: (id, revision) => sound.append(id, revision),
    }));
    const ofRevisions = await differenceOf(
      crossCheck({
        seed: 3,
        operations: OPERATIONS,
        model: revisionModel,
        first: revisions,
        second: { name: 'mutant', open: neverConflicts(revisions.open) },
      }),
    );
    expect(ofRevisions.log.length, ofRevisions.message).to.be.at.most(2);
  });
});

describe('seededRandom', () => {
  it('returns the same choices for the same seed and other choices for another', () => {
    const choices = (seed: number): readonly number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 2000 }, () => random.below(10));
    };
    expect(choices(1)).to.deep.equal(choices(1));
    expect(choices(1)).to.not.deep.equal(choices(2));
    for (let n = 0; n < 10; n++) expect(choices(1).filter((choice) => choice === n).length).to.be.within(140, 260);
    expect(() => seededRandom(1).pick([])).to.throw(TypeError);
  });
});
