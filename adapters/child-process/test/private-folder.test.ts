import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePrivateFolder, removeOrphanedFolders, removePrivateFolder } from '@palimpsest/child-process';

describe('private folders', () => {
  it('are removed with their content; a second removal has no effect', async () => {
    const folder = await makePrivateFolder();
    await writeFile(join(folder, 'page.pdf'), 'x');
    await removePrivateFolder(folder);
    await removePrivateFolder(folder);
    expect(existsSync(folder)).to.equal(false);
  });

  it('are removed after their process has ended; folders of running processes are kept', async function () {
    const own = await makePrivateFolder();
    const [, space = ''] = /palimpsest-([0-9a-z]+)-/.exec(own) ?? [];
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => gone.once('exit', resolve));
    const orphaned = join(tmpdir(), `palimpsest-${space}-${gone.pid}-abcdef`);
    await mkdir(orphaned);
    try {
      if (space === 'any') return this.skip(); // the system does not identify its processes
      await removeOrphanedFolders();
      expect(existsSync(orphaned)).to.equal(false);
      expect(await readdir(own)).to.deep.equal([]);
    } finally {
      await rm(orphaned, { recursive: true, force: true });
      await removePrivateFolder(own);
    }
  });
});
