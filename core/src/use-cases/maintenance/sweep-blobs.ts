import type { Ports } from '../../ports/index.ts';
import { plusMs } from '../../units.ts';

const BLOBS_AT_ONCE = 500;
const MAX_REMOVED = 10_000; // the next sweep continues
const ORPHAN_AGE_MS = 3_600_000;

/**
 * Removes stored files that no document refers to and that are older than an hour (younger ones may be uploads in
 * progress). Resolves with their number. Few uploads are interrupted: if more files belong to no document than to one,
 * the database is probably not that of these files; then no file is removed, and that is reported. Reads the whole list
 * of blobs: run it rarely.
 */
export const sweepBlobs =
  ({ blobs, documents, clock, faults }: Pick<Ports, 'blobs' | 'documents' | 'clock' | 'faults'>) =>
  async (): Promise<number> => {
    const youngest = plusMs(clock.now(), -ORPHAN_AGE_MS);
    const removable: string[] = [];
    let orphans = 0;
    let owned = 0;
    const judge = async (keys: readonly string[]): Promise<void> => {
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
      await judge(batch);
      batch = [];
    }
    await judge(batch);
    if (orphans > owned) {
      const counts = `${orphans} stored files belong to no document, and ${owned} to one`;
      faults.report(
        new Error(`${counts}: is this the database of these files? None is removed.`),
        'removing files without a document',
      );
      return 0;
    }
    for (const key of removable) await blobs.delete(key);
    return removable.length;
  };
