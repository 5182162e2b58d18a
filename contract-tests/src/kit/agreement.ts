import { AssertionError } from 'chai';
import {
  crossCheck,
  summaryText,
  type Contestant,
  type CrossCheckSummary,
  type OperationModel,
} from './cross-check.ts';
import { anySeed } from './random.ts';
import { describeWithTimeout } from './runner.ts';

/** Which adapters are compared, on how many operations of which kinds. */
export interface Agreement<T> {
  readonly model: OperationModel<T>;
  readonly first: Contestant<T>;
  readonly second: Contestant<T>;
  readonly operations?: number; // 1000 if it is left out
  readonly seeds?: readonly number[]; // beside one that nobody knows beforehand, which stands in the title of its test
  /** Kinds that are carried out for their effect alone: each other one must come to more than `undefined`. */
  readonly silent?: readonly string[];
}

const expectSubstance = (summary: CrossCheckSummary, silent: readonly string[]): void => {
  for (const [kind, counts] of Object.entries(summary.kinds)) {
    if (!silent.includes(kind) && Object.keys(counts).join() === 'undefined') {
      throw new AssertionError(`Every ${kind} came to undefined, so it compares nothing:\n${summaryText(summary)}`);
    }
  }
};

/** A suite of {@link crossCheck}: two adapters of one port agree on random operations. */
export const describeAgreement = <T>(port: string, agreement: Agreement<T>): void => {
  const { model, first, second, operations = 1000, seeds = [], silent = [] } = agreement;
  describeWithTimeout(`${port}: ${first.name} and ${second.name}`, 300_000, () => {
    for (const seed of [...seeds, anySeed()]) {
      it(`agree on ${operations} operations, seed ${seed}`, async () => {
        expectSubstance(await crossCheck({ seed, operations, first, second, model }), silent);
      });
    }
  });
};
