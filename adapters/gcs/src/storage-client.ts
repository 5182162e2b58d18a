import { Storage, type StorageOptions } from '@google-cloud/storage';

const SERVICE = 'https://storage.googleapis.com';

/**
 * A client of the service with credentials, or of the emulator at `apiEndpoint` (`http://HOST:PORT`) without
 * credentials. The client (8.4.0) itself reads STORAGE_EMULATOR_HOST, treats an empty value as an address, and omits
 * the path of the API. The options and the assignment below override that.
 */
export const storageClient = (apiEndpoint: string | undefined, options: StorageOptions = {}): Storage => {
  const storage = new Storage({
    ...options,
    apiEndpoint: apiEndpoint ?? SERVICE,
    // Without this option, the client would send no credentials to the service if STORAGE_EMULATOR_HOST is set.
    useAuthWithCustomEndpoint: apiEndpoint === undefined,
    retryOptions: { autoRetry: false },
  });
  storage.baseUrl = `${storage.apiEndpoint}/storage/v1`;
  return storage;
};
