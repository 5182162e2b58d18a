import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_CONNECTION, describeBlobStore } from '@palimpsest/contract-tests';
import { openLocalStorage } from '@palimpsest/local-storage';

const openInFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const open = () => openLocalStorage({ folder });
  return {
    subject: await open(),
    openSecond: open,
    reopen: open,
    close: () => rm(folder, { recursive: true }),
  };
};

describeBlobStore('LocalBlobStore', openInFolder, { faults: NO_CONNECTION });
