import { writeSync } from 'node:fs';
import { hasErrorCode } from './system-error.ts';
import { MEMORY_REPORT_VARIABLE, PARENT_ID_VARIABLE } from './wire.ts';

// Runs as a thread of a child process: ends the child soon after its parent, and reports memory where asked.

const PARENT_CHECK_MS = 1000;
const MEMORY_REPORT_MS = 100;

const parentId = Number(process.env[PARENT_ID_VARIABLE]);
const reportTo = process.env[MEMORY_REPORT_VARIABLE];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
};

setInterval(() => {
  // A child whose parent has died belongs to another process; on Windows it keeps the old id.
  if (process.ppid !== parentId || !isAlive(parentId)) process.kill(process.pid, 'SIGKILL');
}, PARENT_CHECK_MS);

if (reportTo !== undefined) {
  setInterval(() => writeSync(Number(reportTo), `${process.memoryUsage.rss()}\n`), MEMORY_REPORT_MS);
}
