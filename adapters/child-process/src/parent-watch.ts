import { writeSync } from 'node:fs';
import { hasErrorCode } from '@palimpsest/files';
import { MEMORY_REPORT_VARIABLE, PARENT_ID_VARIABLE } from './wire.ts';

// A thread of each child process. It kills the child soon after the parent has ended. It reports the memory of the
// child if the parent cannot read it from the system.

const PARENT_CHECK_MS = 1000;
const MEMORY_REPORT_MS = 100;

const parentId = Number(process.env[PARENT_ID_VARIABLE]);
const memoryReportFd = process.env[MEMORY_REPORT_VARIABLE];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
};

setInterval(() => {
  // After the death of the parent, Linux and macOS change `ppid`; Windows keeps it.
  if (process.ppid !== parentId || !isAlive(parentId)) process.kill(process.pid, 'SIGKILL');
}, PARENT_CHECK_MS);

if (memoryReportFd !== undefined) {
  setInterval(() => writeSync(Number(memoryReportFd), `${process.memoryUsage.rss()}\n`), MEMORY_REPORT_MS);
}
