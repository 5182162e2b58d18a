import type { GcsConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

// Short timeouts, because an HTTP client may wait for the response. A worker retries a failed document later.
const GCS_TIMING = { attemptTimeoutMs: 8_000, totalMs: 9_000 };

/** Keeps the uploaded files in a bucket of Google Cloud Storage. */
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
    });
    log.info({ bucket, prefix, emulator }, 'uploaded files are stored in Google Cloud Storage');
    return portsModule({ blobs });
  };
