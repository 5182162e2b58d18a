import { describeFaultLog, describeTaskLimit } from '@palimpsest/contract-tests';
import { pino } from 'pino';
import { PinoFaultLog } from '../src/log.ts';
import { ProcessTaskLimit } from '../src/page-limit.ts';

describeTaskLimit('ProcessTaskLimit', async () => ({ subject: new ProcessTaskLimit(3), close: async () => {} }));

describeFaultLog('PinoFaultLog', async () => {
  const lines: string[] = [];
  const log = new PinoFaultLog(pino({}, { write: (line: string) => void lines.push(line) }));
  return { subject: { log, read: () => lines }, close: async () => {} };
});
