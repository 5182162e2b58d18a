import { MemoryFaultLog } from '@palimpsest/memory';
import { describeFaultLog } from '../../src/index.ts';
import { describeMutants, inPart, type Mutants } from './mutant.ts';

const openHandle = () => {
  const log = new MemoryFaultLog();
  const read = (): readonly string[] =>
    log.reports.map(({ error, doing }) => `${doing}: ${error instanceof Error ? error.message : typeof error}`);
  return { log, read };
};

const mutants: Mutants<MemoryFaultLog> = {
  'logs nothing': () => ({ report: () => {} }),
  'does not log the action that failed': (original) => ({ report: (error) => original.report(error, '') }),
  'logs the same error only once': (original) => {
    const known = new Set<string>();
    return {
      report: (error, doing) => {
        const message = error instanceof Error ? error.message : '';
        if (!known.has(message)) original.report(error, doing);
        known.add(message);
      },
    };
  },
  'throws when an error cannot be read': (original) => ({
    report: (error, doing) => original.report(Object(error).message, doing),
  }),
};

describeMutants('FaultLog', describeFaultLog, openHandle, inPart('log', mutants));
