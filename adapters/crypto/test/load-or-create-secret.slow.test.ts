import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

describe('loadOrCreateSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns the same secret to processes that start at the same time', async () => {
    const program = `import { loadOrCreateSecret } from '@palimpsest/crypto';
      process.stdout.write(Buffer.from(await loadOrCreateSecret(process.argv[1])).toString('hex'));`;
    const run = (): Promise<string> =>
      text(
        spawn(
          process.execPath,
          ['--conditions=@palimpsest/source', '--input-type=module', '-e', program, join(folder, 'secret')],
          {
            cwd: import.meta.dirname,
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        ).stdout,
      );
    const secrets = await Promise.all([run(), run(), run(), run()]);
    expect(new Set(secrets)).to.deep.equal(new Set([(await readFile(join(folder, 'secret'))).toString('hex')]));
  });
});
