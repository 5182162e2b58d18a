import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';

const BLOBS_AT_ONCE = 500;
const MAX_REMOVED = 10_000; // the next cleanup continues
const ORPHAN_AGE_MS = 3_600_000;

/**
 * The file cleanup: removes orphaned files that are older than an hour (younger ones may be uploads in progress).
 * Resolves with their number. If most of the files are orphans, the service probably runs with another database than
 * that of these files, because few uploads are interrupted; then it removes no file and reports that. It reads the
 * whole list of blobs, so it should run rarely.
 */
export const removeOrphanedFiles =
  ({ blobs, documents, clock, faults }: Pick<Ports, 'blobs' | 'documents' | 'clock' | 'faults'>) =>
  async (): Promise<number> => {
    const youngest = plusMs(clock.now(), -ORPHAN_AGE_MS);
    const removable: string[] = [];
    let orphans = 0;
    let owned = 0;
    const check = async (keys: readonly string[]): Promise<void> => {
      const referenced = await documents.referencedBlobs(keys);
      const found = keys.filter((key) => !referenced.has(key));
      owned += keys.length - found.length;
      orphans += found.length;
      removable.push(...found.slice(0, MAX_REMOVED - removable.length));
    };
    let batch: string[] = [];
    for await (const blob of blobs.list()) {
      if (blob.storedAt > youngest) continue;
      batch.push(blob.key);
      if (batch.length < BLOBS_AT_ONCE) continue;
      await check(batch);
      batch = [];
    }
    await check(batch);
    if (orphans > owned) {
      const counts = `${orphans} stored files belong to no document, and only ${owned} to a document`;
      faults.report(
        new Error(`${counts}. The database is probably not that of these files. No file is removed.`),
        'removing files without a document',
      );
      return 0;
    }
    for (const key of removable) await blobs.delete(key);
    return removable.length;
  };
