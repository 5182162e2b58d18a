import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateSecret } from '@palimpsest/crypto';
import { expect } from 'chai';

describe('loadOrCreateSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates 32 bytes that only this user can read, and returns them again later', async () => {
    const file = join(folder, 'data', 'jwt-secret');
    const secret = await loadOrCreateSecret(file);
    expect(secret).to.have.length(32);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await loadOrCreateSecret(file)).to.deep.equal(secret);
    expect(await readdir(join(folder, 'data'))).to.deep.equal(['jwt-secret']);
    expect(await loadOrCreateSecret(join(folder, 'other'))).to.not.deep.equal(secret);
  });

  it('returns the same secret to concurrent callers', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(join(folder, 'secret'))));
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).to.equal(1);
    expect(await readdir(folder)).to.deep.equal(['secret']);
  });

  it('throws for a file of another length, and does not change it', async () => {
    const file = join(folder, 'secret');
    for (const content of ['', 'short', 'x'.repeat(33)]) {
      await writeFile(file, content);
      const error: unknown = await loadOrCreateSecret(file).catch((error: unknown) => error);
      expect(error).to.be.instanceOf(Error);
      expect(await readFile(file, 'utf8')).to.equal(content);
    }
  });
});
