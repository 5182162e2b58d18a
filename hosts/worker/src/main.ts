import { runHost } from '@palimpsest/composition';
import { openHealthServer } from './health-server.ts';
import { startWorker } from './worker.ts';

await runHost('worker', async (composition) => {
  const { config, log } = composition;
  const { healthPort: port, host } = config;
  const health = port === undefined ? undefined : await openHealthServer(composition, { host, port });
  const worker = await startWorker(composition);
  log.info({ concurrency: config.workerConcurrency, healthPort: health?.port }, 'worker ready');
  return {
    stop: async (graceMs) => {
      health?.stopping();
      await worker.stop(graceMs);
      await health?.close();
    },
  };
});
