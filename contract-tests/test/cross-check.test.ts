import type { DocumentRepository, RevisionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { memoryContestant } from '../../test/agreement.ts';
import {
  type Contestant,
  documentModel,
  type Open,
  operation,
  type OperationModel,
  revisionModel,
} from '../src/index.ts';
import { crossCheck, CrossCheckDifference, summaryText } from '../src/kit/cross-check.ts';
import { seededRandom } from '../src/kit/random.ts';
import { changed } from './mutants/mutant.ts';

const OPERATIONS = 1000;

const differenceOf = async (check: Promise<unknown>): Promise<CrossCheckDifference> => {
  const error = await check.catch((thrown: unknown) => thrown);
  if (error instanceof CrossCheckDifference) return error;
  throw new TypeError('No difference was found', { cause: error });
};

/** A counter that ignores the amount `ignored`. */
class Tally {
  total = 0;
  readonly #ignored: number;

  constructor(ignored = Infinity) {
    this.#ignored = ignored;
  }

  async add(amount: number): Promise<void> {
    this.total += amount === this.#ignored ? 0 : amount;
  }

  async read(): Promise<number> {
    return this.total;
  }
}

const tallyModel: OperationModel<Tally> = () => ({
  add: operation(
    (random) => random.below(20),
    (tally, amount) => tally.add(amount),
    5,
  ),
  read: operation(
    () => undefined,
    (tally) => tally.read(),
  ),
});

const tally = (name: string, make: () => Tally): Contestant<Tally> => ({
  name,
  open: async () => ({ subject: make(), close: async () => {} }),
});

describe('crossCheck', () => {
  it('reports the shortest list of operations that shows a difference, with its seed', async () => {
    const rules = {
      seed: 7,
      operations: 500,
      model: tallyModel,
      first: tally('correct', () => new Tally()),
      second: tally('forgetful', () => new Tally(13)),
    };
    const difference = await differenceOf(crossCheck(rules));
    expect(difference.log).to.deep.equal([
      '1. add 13: returns undefined',
      '2. read undefined\n     correct returns 13\n     forgetful returns 0',
    ]);
    expect(difference.message).to.match(/correct and forgetful differ \(seed 7, operation \d+ of 500\)/);
    expect(difference.message).to.contain(difference.log.join('\n  '));
    expect((await differenceOf(crossCheck({ ...rules, seed: difference.seed }))).log).to.deep.equal(difference.log);
  });

  it('reports an error that no port throws as a difference, even if both adapters throw it', async () => {
    const broken = tally('broken', () =>
      Object.assign(new Tally(), { read: () => Promise.reject(new Error('disk I/O error')) }),
    );
    const { message } = await differenceOf(
      crossCheck({ operations: 100, model: tallyModel, first: broken, second: broken }),
    );
    expect(message).to.match(/disk I\/O error/);
  });

  it('counts the results of each kind of operation', async () => {
    const correct = tally('correct', () => new Tally());
    const summary = await crossCheck({ seed: 1, operations: 60, model: tallyModel, first: correct, second: correct });
    expect(Object.keys(summary.kinds['add'] ?? {})).to.deep.equal(['undefined']);
    expect(summaryText(summary)).to.match(/^60 operations, seed 1\n {2}\w+: /);
  });

  it('closes every adapter that it opened', async () => {
    let open = 0;
    const counted: Open<Tally> = async () => {
      open++;
      return { subject: new Tally(open % 2 === 0 ? 3 : undefined), close: async () => void open-- };
    };
    const contestant = { name: 'counted', open: counted };
    await differenceOf(crossCheck({ operations: 300, model: tallyModel, first: contestant, second: contestant }));
    expect(open).to.equal(0);
  });

  it('finds an adapter that loses updates, in at most three operations', async () => {
    const documents = memoryContestant((ports) => ports.documents);
    const losesUpdates: Open<DocumentRepository> = async () => {
      const opened = await documents.open();
      const correct = opened.subject;
      const replace: DocumentRepository['replace'] = async (next) => {
        const stored = await correct.find(next.id);
        return stored !== undefined && (await correct.replace({ ...next, version: stored.version + 1 }));
      };
      return { ...opened, subject: changed(correct, { replace }) };
    };
    const { log, message } = await differenceOf(
      crossCheck({
        seed: 3,
        operations: OPERATIONS,
        model: documentModel,
        first: documents,
        second: { name: 'mutant', open: losesUpdates },
      }),
    );
    expect(log.length, message).to.be.at.most(3);
  });

  it('finds an adapter that reports no conflict of revisions, in at most two operations', async () => {
    const revisions = memoryContestant((ports) => ports.revisions);
    const neverConflicts: Open<RevisionRepository> = async () => {
      const opened = await revisions.open();
      const correct = opened.subject;
      return { ...opened, subject: changed(correct, { append: (id, revision) => correct.append(id, revision) }) };
    };
    const { log, message } = await differenceOf(
      crossCheck({
        seed: 3,
        operations: OPERATIONS,
        model: revisionModel,
        first: revisions,
        second: { name: 'mutant', open: neverConflicts },
      }),
    );
    expect(log.length, message).to.be.at.most(2);
  });
});

describe('seededRandom', () => {
  it('makes the same choices for the same seed, other choices for another seed, and every choice about equally often', () => {
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
