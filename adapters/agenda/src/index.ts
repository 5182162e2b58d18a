export { AgendaJobQueue, type AgendaJobQueueOptions } from './agenda-job-queue.ts';
