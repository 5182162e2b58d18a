import { describeFaultLog } from '@palimpsest/contract-tests';
import { pino } from 'pino';
import { PinoFaultLog } from '../src/log.ts';

describeFaultLog('PinoFaultLog', async () => {
  const lines: string[] = [];
  const log = new PinoFaultLog(pino({}, { write: (line: string) => void lines.push(line) }));
  return { subject: { log, read: () => lines }, close: async () => {} };
});
