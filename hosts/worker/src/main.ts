import { runHost } from '@palimpsest/composition';
import { startWorker } from './worker.ts';

await runHost('worker', async (composition) => {
  const worker = await startWorker(composition);
  composition.log.info({ concurrency: composition.config.workerConcurrency }, 'worker ready');
  return worker;
});
