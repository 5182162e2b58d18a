import { Storage, type StorageOptions } from '@google-cloud/storage';

const SERVICE = 'https://storage.googleapis.com';

/**
 * A client of the service with credentials, or of the emulator at `apiEndpoint` (`http://HOST:PORT`) without credentials.
 * The client (8.4.0) also reads STORAGE_EMULATOR_HOST itself, takes an empty value for an address, and forgets the path
 * of the API; the options below override that.
 */
export const storageClient = (apiEndpoint: string | undefined, options: StorageOptions = {}): Storage => {
  const storage = new Storage({
    ...options,
    apiEndpoint: apiEndpoint ?? SERVICE,
    useAuthWithCustomEndpoint: apiEndpoint === undefined, // the client would send none to the service if STORAGE_EMULATOR_HOST is set
    retryOptions: { autoRetry: false },
  });
  storage.baseUrl = `${storage.apiEndpoint}/storage/v1`;
  return storage;
};
