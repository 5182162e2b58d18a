import { describeFaultLog } from '@palimpsest/contract-tests';
import { MemoryFaultLog } from '../src/memory-fault-log.ts';

describeFaultLog('MemoryFaultLog', async () => {
  const log = new MemoryFaultLog();
  const read = (): string[] =>
    log.reports.map(({ error, doing }) => `${doing}: ${error instanceof Error ? error.message : typeof error}`);
  return { subject: { log, read }, close: async () => {} };
});
