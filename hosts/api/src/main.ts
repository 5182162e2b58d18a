import { runHost } from '@palimpsest/composition';
import { startWorker } from '@palimpsest/worker';
import { serve } from './serve.ts';

await runHost('api', async (composition) => {
  const { config, log } = composition;
  const served = await serve(composition);
  const worker = config.worker === 'inline' ? await startWorker(composition) : undefined;
  log.info({ url: served.url, worker: config.worker }, `Palimpsest listens on ${served.url}`);
  return {
    stop: async (graceMs) => {
      await Promise.all([served.stop(graceMs), worker?.stop(graceMs)]);
    },
  };
});
