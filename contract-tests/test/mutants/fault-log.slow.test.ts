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
  'does not log what was being done': (sound) => ({ report: (error) => sound.report(error, '') }),
  'logs the same error only once': (sound) => {
    const known = new Set<string>();
    return {
      report: (error, doing) => {
        const message = error instanceof Error ? error.message : '';
        if (!known.has(message)) sound.report(error, doing);
        known.add(message);
      },
    };
  },
  'throws when an error cannot be read': (sound) => ({
    report: (error, doing) => sound.report(Object(error).message, doing),
  }),
};

describeMutants('FaultLog', describeFaultLog, openHandle, inPart('log', mutants));
