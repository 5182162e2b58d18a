import type { Storage } from '@google-cloud/storage';
import { isOutOfReach, unavailable } from './errors.ts';
import { GcsBlobStore } from './gcs-blob-store.ts';
import { GcsClient } from './gcs-client.ts';
import { checkedBucket, checkedPrefix } from './gcs-url.ts';
import type { OnFault } from './put-object.ts';
import { storageClient } from './storage-client.ts';
import { defaultTiming, type GcsTiming } from './timing.ts';

const PAGE_SIZE = 1000; // the most that the service gives

/** What opening a store in Google Cloud Storage takes. */
export interface GcsOptions {
  readonly bucket: string; // must be there
  readonly prefix?: string; // before all keys; a slash parts them. Nothing, if it is not given
  readonly apiEndpoint?: string; // of an emulator, `http://HOST:PORT`: it is asked without credentials
  readonly projectId?: string; // of the credentials, if they name none
  /** Told of faults that were survived: an upload that could not be cancelled, for instance. */
  readonly onFault?: OnFault;
  readonly timing?: Partial<GcsTiming>;
  readonly pageSize?: number; // of a listing, 1 to 1000
}

const needCredentials = async ({ authClient }: Storage): Promise<void> => {
  try {
    await authClient.getRequestHeaders();
  } catch (error) {
    if (isOutOfReach(error)) throw unavailable(error);
    throw new Error(
      'There are no credentials for Google Cloud Storage. Set GOOGLE_APPLICATION_CREDENTIALS to the file of a service ' +
        'account, or run where one is attached; for an emulator, set STORAGE_EMULATOR_HOST.',
      { cause: error },
    );
  }
};

/**
 * Opens the blob store in a bucket, with the application default credentials
 * (https://cloud.google.com/docs/authentication/application-default-credentials). Throws `SERVICE_UNAVAILABLE` where the
 * service cannot be reached, and an error that says what to do where credentials, permissions or the bucket are missing.
 */
export const openGcs = async (options: GcsOptions): Promise<GcsBlobStore> => {
  const { apiEndpoint, projectId, onFault = () => undefined, timing, pageSize = PAGE_SIZE } = options;
  const bucket = checkedBucket(options.bucket);
  const prefix = checkedPrefix(options.prefix ?? '');
  const storage = storageClient(apiEndpoint, projectId === undefined ? {} : { projectId });
  const credentialed = apiEndpoint === undefined;
  if (credentialed) await needCredentials(storage);
  const client = new GcsClient(storage, bucket, { ...defaultTiming, ...timing }, credentialed);
  const store = new GcsBlobStore(client, bucket, prefix, pageSize, onFault);
  await store.check();
  return store;
};
