import { AssertionError } from 'chai';
import {
  crossCheck,
  summaryText,
  type Contestant,
  type CrossCheckSummary,
  type OperationModel,
} from './cross-check.ts';
import { describeWithTimeout } from './runner.ts';

/** The two adapters to compare, and the operations. */
export interface Agreement<T> {
  readonly model: OperationModel<T>;
  readonly first: Contestant<T>;
  readonly second: Contestant<T>;
  readonly operations?: number; // default: 1000
  readonly seeds?: readonly number[]; // default: one fixed seed; `anySeed()` for a new one each time
  /** Kinds of operations that always return `undefined`. Every other kind must return another value at least once. */
  readonly silent?: readonly string[];
}

const expectComparedValues = (summary: CrossCheckSummary, silent: readonly string[]): void => {
  for (const [kind, counts] of Object.entries(summary.kinds)) {
    if (!silent.includes(kind) && Object.keys(counts).join() === 'undefined') {
      throw new AssertionError(
        `Every call of ${kind} returned undefined, so the test compared nothing:\n${summaryText(summary)}`,
      );
    }
  }
};

/** Tests that two adapters of one port return the same results for the same random operations. */
export const describeAgreement = <T>(port: string, agreement: Agreement<T>): void => {
  const { model, first, second, operations = 1000, seeds = [1], silent = [] } = agreement;
  describeWithTimeout(`${port}: ${first.name} and ${second.name}`, 300_000, () => {
    for (const seed of seeds) {
      it(`return the same results for ${operations} random operations (seed ${seed})`, async () => {
        expectComparedValues(await crossCheck({ seed, operations, first, second, model }), silent);
      });
    }
  });
};
