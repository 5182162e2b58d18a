import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runTogether } from '../../../test/processes/child-process.ts';

describe('loadOrCreateSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns the same secret to four processes that call it at the same time', async () => {
    const file = join(folder, 'secret');
    const secrets = (await runTogether(4, new URL('secret.child.ts', import.meta.url), file)).flat();
    expect(secrets).to.have.length(4);
    expect(new Set(secrets)).to.deep.equal(new Set([(await readFile(file)).toString('hex')]));
  });
});
