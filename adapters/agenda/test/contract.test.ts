import { NO_CONNECTION, describeJobQueue } from '@palimpsest/contract-tests';
import { SHORT, someQueues } from './queues.ts';

const open = async () => {
  const queues = await someQueues();
  return {
    subject: await queues.queue(undefined, SHORT),
    openSecond: () => queues.queue(undefined, SHORT),
    reopen: async () => {
      await queues.closeAll();
      return queues.queue(undefined, SHORT);
    },
    close: () => queues.remove(),
  };
};

describeJobQueue('AgendaJobQueue on SQLite', open, { faults: NO_CONNECTION });
