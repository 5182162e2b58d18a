import type { GcsConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

// Somebody waits for the answer; workers come again.
const GCS_TIMING = { attemptMs: 10_000, totalMs: 15_000 };

/** The uploaded files in a bucket of Google Cloud Storage. */
export const openGcsModule =
  ({ url, emulator }: GcsConfig): OpenModule =>
  async ({ log }) => {
    const { openGcs, parseGcsUrl } = await import('@palimpsest/gcs');
    const { bucket, prefix } = parseGcsUrl(url);
    const blobs = await openGcs({
      bucket,
      prefix,
      ...(emulator === undefined ? {} : { apiEndpoint: emulator }),
      timing: GCS_TIMING,
      onFault: (error, doing) => log.warn({ err: error }, doing),
    });
    log.info({ bucket, prefix, emulator }, 'files are kept in Google Cloud Storage');
    return portsModule({ blobs });
  };
