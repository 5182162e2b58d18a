import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBlobStore } from '@palimpsest/contract-tests';
import { openLocalStorage } from '@palimpsest/local-storage';

describeBlobStore('LocalBlobStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const open = () => openLocalStorage({ folder });
  return {
    subject: await open(),
    openSecond: open,
    reopen: open,
    close: () => rm(folder, { recursive: true }),
  };
});
