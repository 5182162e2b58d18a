import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

const script = `
  import { runTests } from ${JSON.stringify(new URL('run.ts', import.meta.url).href)};
  const [root] = process.argv.slice(1);
  const rows = await runTests({ root, files: [root + '/given.mjs'], ports: new Set(), part: 'all' });
  console.log(JSON.stringify({ ...rows.totals(), isAborted: rows.isAborted }));
  process.exit();
`;

describe('an interrupted test run', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'matrix-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reports the tests before the interruption and counts no interrupted test as failed', async () => {
    const tests = `
      describe('given', () => {
        it('passes', () => {});
        it('fails', () => { throw new Error('as it should'); });
        it('is interrupted', () => new Promise((resolve, reject) => {
          process.once('SIGTERM', () => reject(new Error('its server is gone')));
          process.kill(process.pid, 'SIGTERM');
          setTimeout(resolve, 10_000);
        }));
        it('does not begin', () => {});
      });
    `;
    await writeFile(join(folder, 'given.mjs'), tests);
    const child = spawn(
      process.execPath,
      ['--conditions=@palimpsest/source', '--input-type=module', '--eval', script, folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).to.deep.equal({
      passed: 1,
      failed: 1,
      pending: 0,
      notRun: 2,
      isAborted: true,
    });
  });
});
