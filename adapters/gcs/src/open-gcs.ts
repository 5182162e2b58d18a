import type { Storage } from '@google-cloud/storage';
import { isOutOfReach, unavailable } from './errors.ts';
import { GcsBlobStore } from './gcs-blob-store.ts';
import { GcsClient } from './gcs-client.ts';
import { checkedBucket, checkedPrefix } from './gcs-url.ts';
import { storageClient } from './storage-client.ts';
import { defaultTiming, type GcsTiming } from './timing.ts';

const PAGE_SIZE = 1000; // the maximum of the service

/** The options of {@link openGcs}. */
export interface GcsOptions {
  readonly bucket: string; // must exist
  readonly prefix?: string; // of all object names; a slash follows it; default: none
  readonly apiEndpoint?: string; // of an emulator, `http://HOST:PORT`, which gets no credentials
  readonly projectId?: string; // needed if the credentials name none
  readonly timing?: Partial<GcsTiming>;
  readonly pageSize?: number; // of a listing, 1 to 1000
}

const checkCredentials = async ({ authClient }: Storage): Promise<void> => {
  try {
    await authClient.getRequestHeaders();
  } catch (error) {
    if (isOutOfReach(error)) throw unavailable(error);
    throw new Error(
      'There are no credentials for Google Cloud Storage. Set GOOGLE_APPLICATION_CREDENTIALS to the file of a service ' +
        'account, or run on a machine with an attached service account. For an emulator, set STORAGE_EMULATOR_HOST.',
      { cause: error },
    );
  }
};

/**
 * Opens the blob store in a bucket, with the application default credentials
 * (https://cloud.google.com/docs/authentication/application-default-credentials). Throws `SERVICE_UNAVAILABLE` if the
 * service cannot be reached, and an `Error` with an instruction if credentials, permissions or the bucket are missing.
 */
export const openGcs = async (options: GcsOptions): Promise<GcsBlobStore> => {
  const { apiEndpoint, projectId, timing, pageSize = PAGE_SIZE } = options;
  const bucket = checkedBucket(options.bucket);
  const prefix = checkedPrefix(options.prefix ?? '');
  const storage = storageClient(apiEndpoint, projectId === undefined ? {} : { projectId });
  if (apiEndpoint === undefined) await checkCredentials(storage);
  const client = new GcsClient(storage, bucket, { ...defaultTiming, ...timing });
  const store = new GcsBlobStore(client, bucket, prefix, pageSize);
  await store.check();
  return store;
};
