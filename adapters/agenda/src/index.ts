export { AgendaJobQueue, type AgendaJobQueueOptions } from './agenda-job-queue.ts';
export type { JobLock, JobStore, LockedJob } from './job-store.ts';
