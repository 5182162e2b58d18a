import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadOrCreateSecret } from '@palimpsest/crypto';
import { expect } from 'chai';

describe('loadOrCreateSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes 32 bytes for this user alone, and keeps them', async () => {
    const file = join(folder, 'data', 'jwt-secret');
    const secret = await loadOrCreateSecret(file);
    expect(secret).to.have.length(32);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await loadOrCreateSecret(file)).to.deep.equal(secret);
    expect(await readdir(join(folder, 'data'))).to.deep.equal(['jwt-secret']);
    expect(await loadOrCreateSecret(join(folder, 'other'))).to.not.deep.equal(secret);
  });

  it('gives all callers at once the same secret', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(join(folder, 'secret'))));
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).to.equal(1);
    expect(await readdir(folder)).to.deep.equal(['secret']);
  });

  it('gives processes that start at once the same secret', async () => {
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

  it('does not take a file that holds anything else, and leaves it', async () => {
    const file = join(folder, 'secret');
    for (const content of ['', 'short', 'x'.repeat(33)]) {
      await writeFile(file, content);
      const error: unknown = await loadOrCreateSecret(file).catch((error: unknown) => error);
      expect(error).to.be.instanceOf(Error);
      expect(await readFile(file, 'utf8')).to.equal(content);
    }
  });
});
