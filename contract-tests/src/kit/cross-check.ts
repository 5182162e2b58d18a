import { inspect } from 'node:util';
import { isAppError } from '@palimpsest/core';
import { util } from 'chai';
import type { Open } from './harness.ts';
import { anySeed, seededRandom, type Random } from './random.ts';

/** One operation with its input. It does the same on every adapter. */
export interface PlannedOperation<T> {
  readonly input: unknown; // for the log
  /** Resolves with the value to compare, without anything that the port does not define. */
  readonly run: (subject: T) => Promise<unknown>;
}

/** A kind of operation. */
export interface OperationKind<T> {
  readonly weight?: number; // relative frequency; default: 1
  readonly plan: (random: Random) => PlannedOperation<T>;
}

/** The operations of a port by kind. Created for each check, so that a plan may depend on earlier ones. */
export type OperationModel<T> = () => Readonly<Record<string, OperationKind<T>>>;

/** A kind of operation: `make` creates the input, `run` executes it. */
export const operation = <T, I>(
  make: (random: Random) => I,
  run: (subject: T, input: I) => Promise<unknown>,
  weight = 1,
): OperationKind<T> => ({
  weight,
  plan: (random) => {
    const input = make(random);
    return { input, run: (subject) => run(subject, input) };
  },
});

/** An adapter to compare. */
export interface Contestant<T> {
  readonly name: string;
  readonly open: Open<T>;
}

export interface CrossCheckRules<T> {
  readonly seed?: number; // default: random
  readonly operations: number;
  readonly first: Contestant<T>;
  readonly second: Contestant<T>;
  readonly model: OperationModel<T>;
}

/** The number of results of each kind of operation, by result: `undefined`, `true`, `empty`, `value`, `threw …`. */
export interface CrossCheckSummary {
  readonly seed: number;
  readonly operations: number;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Step<T> extends PlannedOperation<T> {
  readonly kind: string;
}

type Result = { readonly returned: unknown } | { readonly threw: string };

interface ExecutedStep<T> {
  readonly step: Step<T>;
  readonly results: readonly [Result, Result];
  readonly differ: boolean;
}

/** Two adapters returned different results. `message` contains the shortest log of operations that shows it. */
export class CrossCheckDifference extends Error {
  override readonly name = 'CrossCheckDifference';
  readonly seed: number;
  readonly log: readonly string[]; // one line per operation; the last one differs

  constructor(message: string, seed: number, log: readonly string[]) {
    super(message);
    this.seed = seed;
    this.log = log;
  }
}

const UNEXPECTED = 'unexpected ';

const resultOf = async <T>(step: Step<T>, subject: T): Promise<Result> => {
  try {
    return { returned: await step.run(subject) };
  } catch (error) {
    if (isAppError(error)) return { threw: error.code };
    // An error that no port throws is a difference, even if both adapters throw it.
    return { threw: error instanceof TypeError ? 'TypeError' : `${UNEXPECTED}${inspect(error)}` };
  }
};

const differ = (a: Result, b: Result): boolean => ('threw' in a && a.threw.startsWith(UNEXPECTED)) || !util.eql(a, b);

/** Executes the steps on two new adapters until they differ. */
const execute = async <T>(
  steps: readonly Step<T>[],
  { first, second }: CrossCheckRules<T>,
): Promise<readonly ExecutedStep<T>[]> => {
  const a = await first.open();
  try {
    const b = await second.open();
    try {
      const executed: ExecutedStep<T>[] = [];
      for (const step of steps) {
        const results = [await resultOf(step, a.subject), await resultOf(step, b.subject)] as const;
        executed.push({ step, results, differ: differ(...results) });
        if (differ(...results)) break;
      }
      return executed;
    } finally {
      await b.close();
    }
  } finally {
    await a.close();
  }
};

const plan = <T>(seed: number, count: number, model: OperationModel<T>): readonly Step<T>[] => {
  const random = seededRandom(seed);
  const kinds = Object.entries(model());
  const weightedKinds = kinds.flatMap(([kind, { weight = 1 }]) => Array.from({ length: weight }, () => kind));
  const byKind = new Map(kinds);
  return Array.from({ length: count }, () => {
    const kind = random.pick(weightedKinds);
    const planned = byKind.get(kind)?.plan(random);
    if (planned === undefined) throw new TypeError(`There is no operation of the kind ${kind}`);
    return { kind, ...planned };
  });
};

const MAX_REPLAYS = 400;

/** Finds a shorter log that still differs, by removing parts (ddmin, Zeller and Hildebrandt 2002). */
const shortest = async <T>(
  failing: readonly ExecutedStep<T>[],
  rules: CrossCheckRules<T>,
): Promise<readonly ExecutedStep<T>[]> => {
  let best = failing;
  let part = Math.ceil(best.length / 2);
  for (let replays = 0; replays < MAX_REPLAYS;) {
    let isShorter = false;
    for (let start = 0; start < best.length && replays < MAX_REPLAYS;) {
      const rest = best.filter((_, i) => i < start || i >= start + part).map(({ step }) => step);
      replays++;
      const executed = await execute(rest, rules);
      if (executed.at(-1)?.differ === true) {
        best = executed;
        isShorter = true;
      } else start += part;
    }
    if (part === 1 && !isShorter) break;
    part = Math.max(1, Math.ceil(part / 2));
  }
  return best;
};

const shown = (value: unknown): string =>
  inspect(value, { depth: 8, compact: true, breakLength: Infinity, maxStringLength: 200, maxArrayLength: 20 });

const textOf = (result: Result): string =>
  'threw' in result ? `throws ${result.threw}` : `returns ${shown(result.returned)}`;

const lines = <T>(executed: readonly ExecutedStep<T>[], { first, second }: CrossCheckRules<T>): readonly string[] =>
  executed.map(({ step, results: [a, b], differ: isLast }, i) => {
    const call = `${i + 1}. ${step.kind} ${shown(step.input)}`;
    return isLast
      ? `${call}\n     ${first.name} ${textOf(a)}\n     ${second.name} ${textOf(b)}`
      : `${call}: ${textOf(a)}`;
  });

const labelOf = (result: Result): string => {
  if ('threw' in result) return `threw ${result.threw}`;
  const { returned } = result;
  if (returned === undefined || typeof returned === 'boolean') return String(returned);
  return (Array.isArray(returned) && returned.length === 0) || returned === 0 || returned === '' ? 'empty' : 'value';
};

const summary = <T>(seed: number, executed: readonly ExecutedStep<T>[]): CrossCheckSummary => {
  const kinds: Record<string, Record<string, number>> = {};
  for (const { step, results } of executed) {
    const counts = (kinds[step.kind] ??= {});
    const label = labelOf(results[0]);
    counts[label] = (counts[label] ?? 0) + 1;
  }
  return { seed, operations: executed.length, kinds };
};

/** A summary as text: one line per kind of operation with the number of each result. */
export const summaryText = ({ seed, operations, kinds }: CrossCheckSummary): string =>
  [
    `${operations} operations, seed ${seed}`,
    ...Object.entries(kinds).map(([kind, counts]) => {
      const all = Object.entries(counts).map(([label, count]) => `${label} ${count}`);
      return `  ${kind}: ${all.toSorted().join(', ')}`;
    }),
  ].join('\n');

/**
 * Executes the same random operations on two adapters and compares the results. If they differ, it searches for the
 * shortest log that shows the difference, on new adapters, and throws {@link CrossCheckDifference} with that log and the
 * seed. Otherwise it resolves with the number of each result.
 */
export const crossCheck = async <T>(rules: CrossCheckRules<T>): Promise<CrossCheckSummary> => {
  const seed = rules.seed ?? anySeed();
  const executed = await execute(plan(seed, rules.operations, rules.model), rules);
  if (executed.at(-1)?.differ !== true) return summary(seed, executed);
  const log = lines(await shortest(executed, rules), rules);
  const { first, second } = rules;
  throw new CrossCheckDifference(
    `${first.name} and ${second.name} differ (seed ${seed}, operation ${executed.length} of ${rules.operations}). The shortest log found:\n  ${log.join('\n  ')}`,
    seed,
    log,
  );
};
