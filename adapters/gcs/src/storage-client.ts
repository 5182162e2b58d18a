import { Storage, type StorageOptions } from '@google-cloud/storage';

const SERVICE = 'https://storage.googleapis.com';

/**
 * A client of the service, with credentials, or of the emulator at `apiEndpoint` (`http://HOST:PORT`), without. Whatever
 * STORAGE_EMULATOR_HOST says: the client (8.4.0) reads it for itself, takes an empty one for an address, and what there is
 * for the address of the whole interface, without its path.
 */
export const storageClient = (apiEndpoint: string | undefined, options: StorageOptions = {}): Storage => {
  const storage = new Storage({
    ...options,
    apiEndpoint: apiEndpoint ?? SERVICE,
    useAuthWithCustomEndpoint: apiEndpoint === undefined, // it may take the service for a stranger's, where the variable is set
    retryOptions: { autoRetry: false },
  });
  storage.baseUrl = `${storage.apiEndpoint}/storage/v1`;
  return storage;
};
