import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = async (): Promise<Manifest> => JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8'));

/** The paths of the packed files. The package need not be built. */
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

/** The source of a built file. */
const sourceOf = (path: string): string => path.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');

describe('package contract-tests', () => {
  it('packs every exported path and the fixtures', async () => {
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

  it('lists every imported package as a dependency', async () => {
    const { dependencies } = await manifest();
    const imported = new Set<string>();
    for (const entry of await readdir(join(FOLDER, 'src'), { recursive: true })) {
      if (!entry.endsWith('.ts')) continue;
      const source = await readFile(join(FOLDER, 'src', entry), 'utf8');
      for (const [, from = ''] of source.matchAll(/^(?:import|export|\}) .*from '([^'.][^']*)';$/gm)) {
        if (!from.startsWith('node:')) imported.add(from);
      }
    }
    expect([...imported].toSorted()).to.deep.equal([...Object.keys(dependencies), 'mocha'].toSorted());
  });

  it('loads without mocha', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => { if (name === 'mocha') throw new Error('mocha is imported'); return next(name, context); } });
      console.log(typeof (await import('@palimpsest/contract-tests')).describeBlobStore);`;
    const options = ['--conditions=@palimpsest/source', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: FOLDER });
    expect(stdout.trim()).to.equal('function');
  });
});

describe('suites under the test runner of Node', () => {
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

  it('pass for a correct adapter', async () => {
    const tap = await runUnderNode(`{ openSecond: 'it is alone', reopen: 'it ends', faults: NO_CONNECTION }`);
    expect(tap).to.match(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.be.above(10);
    expect(tap).to.match(/skipped: it ends # SKIP/);
  });

  it('fail for an adapter that does not state its capabilities', async () => {
    const tap = await runUnderNode(`{ openSecond: 'it is alone', reopen: 'it ends' }`);
    expect(tap).to.match(/The adapter provides no faults/);
    expect(tap).to.not.match(/^# fail 0$/m);
  });
});
