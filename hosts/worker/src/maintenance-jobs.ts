import type { Composition } from '@palimpsest/composition';
import type { JobHandler } from '@palimpsest/core';

type Run = JobHandler['run'];
type Needs = Pick<Composition, 'useCases' | 'ports' | 'log'>;

/** Finishes interrupted removals and removes expired records. */
export const cleanUp =
  ({ useCases, log }: Needs): Run =>
  async () => {
    const report = await useCases.cleanUp();
    if (Object.values(report).some((count: number) => count > 0)) log.info(report, 'cleanup done');
    return 'done';
  };

/** Removes stored files that belong to no document. */
export const removeOrphanedFiles =
  ({ useCases, log }: Needs): Run =>
  async () => {
    const removed = await useCases.removeOrphanedFiles();
    if (removed > 0) log.info({ removed }, 'orphaned files removed');
    return 'done';
  };

/** Compares the search index with the documents and corrects the differences. An interrupted check starts again. */
export const checkSearchIndex =
  ({ useCases, ports, log }: Needs): Run =>
  async ({ signal }) => {
    const report = await useCases.checkSearchIndex(signal);
    if (report.indexed + report.removed > 0) log.info(report, 'search index corrected');
    return signal.aborted ? { retryAt: ports.clock.now() } : 'done';
  };
