import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const manifest = async (): Promise<Manifest> => JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8'));

/** The paths of the files that are packed. */
const packed = async (): Promise<ReadonlySet<string>> => {
  const options = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=error'];
  const { stdout } = await promisify(execFile)('npm', options, {
    cwd: FOLDER,
    shell: process.platform === 'win32',
    maxBuffer: 2 ** 24,
  });
  const [first]: readonly { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  return new Set(first?.files.map(({ path }) => path));
};

/** The source file of a built file. */
const sourceOf = (path: string): string => path.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');

describe('the npm package of the contract tests', () => {
  it('contains the source of every exported path, the fixtures and the README, and no test', async () => {
    const files = await packed();
    const { exports } = await manifest();
    const paths = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(paths).to.not.be.empty;
    for (const path of paths) expect([...files]).to.include(sourceOf(path.replace(/^\.\//, '')));
    const fixtures = (await readdir(join(FOLDER, 'fixtures'))).filter((name) => !name.endsWith('.ts'));
    expect(fixtures).to.not.be.empty;
    for (const name of fixtures) expect([...files]).to.include(`fixtures/${name}`);
    expect([...files]).to.include('README.md');
    expect([...files].filter((path) => /^test\/|tsbuildinfo|node_modules/.test(path))).to.deep.equal([]);
  });
});

describe('a contract suite under the test runner of Node', () => {
  const runUnderNode = async (without: string): Promise<string> => {
    const script = `
      import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
      Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it });
      const { describeRevisionRepository, NO_CONNECTION } = await import('@palimpsest/contract-tests');
      const { openMemory } = await import('@palimpsest/memory');
      const open = async () => ({ subject: openMemory().revisions, close: async () => {} });
      describeRevisionRepository('MemoryRevisionRepository', open, ${without});`;
    const options = ['--conditions=@palimpsest/source', '--test-reporter=tap', '--input-type=module', '--eval', script];
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const run = promisify(execFile)(process.execPath, options, { cwd: FOLDER, env, maxBuffer: 2 ** 24 });
    return await run.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string }) => error.stdout,
    );
  };

  it('accepts a working adapter and skips the tests of declared missing capabilities', async () => {
    const tap = await runUnderNode(`{ openSecond: 'it is alone', reopen: 'it ends', faults: NO_CONNECTION }`);
    expect(tap).to.match(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.be.above(10);
    expect(tap).to.match(/is skipped: it ends # SKIP/);
  });

  it('rejects an adapter with an undeclared missing capability', async () => {
    const tap = await runUnderNode(`{ openSecond: 'it is alone', reopen: 'it ends' }`);
    expect(tap).to.match(/The adapter provides no faults/);
    expect(tap).to.not.match(/^# fail 0$/m);
  });
});
