import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLongBlobStore } from '@palimpsest/contract-tests';
import { openLocalStorage } from '@palimpsest/local-storage';

describeLongBlobStore('LocalBlobStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  return { subject: await openLocalStorage({ folder }), close: () => rm(folder, { recursive: true }) };
});
