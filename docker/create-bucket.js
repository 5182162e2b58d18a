// Creates the bucket that BLOB_STORE_URL names at STORAGE_EMULATOR_HOST, when that answers. A bucket that is there stays.
const WAIT_MS = 60_000;
const { BLOB_STORE_URL: blobs = '', STORAGE_EMULATOR_HOST: emulator = '' } = process.env;
const [, bucket] = /^gs:\/\/([^/]+)/.exec(blobs) ?? [];
if (bucket === undefined || emulator === '')
  throw new Error('Set BLOB_STORE_URL=gs://BUCKET and STORAGE_EMULATOR_HOST');

const create = async () => {
  const response = await fetch(`${emulator}/storage/v1/b?project=palimpsest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: bucket }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok && response.status !== 409) throw new Error(`${response.status} ${await response.text()}`);
};

const deadline = Date.now() + WAIT_MS;
for (;;) {
  try {
    await create();
    break;
  } catch (error) {
    if (Date.now() > deadline) throw error;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
