import type { ReadableFaultLog } from '../fault-log/contract.ts';
import { mutant, type Mutants } from './mutant.ts';

const plain = (change: (sound: ReadableFaultLog) => Partial<ReadableFaultLog>) => mutant(() => change);

/** Broken fault logs, by what is wrong with them. */
export const faultLogMutants: Mutants<ReadableFaultLog> = {
  'notes nothing': plain(() => ({ log: { report: () => undefined } })),
  'forgets what was being done': plain(({ log }) => ({ log: { report: (error) => log.report(error, '') } })),
  'forgets the fault': plain(({ log }) => ({ log: { report: (_error, doing) => log.report(undefined, doing) } })),
  'notes each fault once': mutant(() => {
    const seen = new Set<string>();
    return ({ log }) => ({
      log: {
        report: (error, doing) => {
          if (seen.has(doing)) return;
          seen.add(doing);
          log.report(error, doing);
        },
      },
    });
  }),
  'takes everything for an error': plain(({ log }) => ({
    log: {
      report: (error, doing) => {
        if (!(error instanceof Error)) throw new TypeError('not an error');
        log.report(error, doing);
      },
    },
  })),
  'writes the last first': plain(({ read }) => ({ read: () => read().toReversed() })),
};
