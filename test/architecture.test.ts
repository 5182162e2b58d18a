import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Report {
  readonly summary: { readonly totalCruised: number; readonly violations: readonly { rule: { name: string } }[] };
}

const cruise = (folder: string, places: readonly string[]): Report => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...places],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  expect(stdout, stderr).not.to.equal('');
  return JSON.parse(stdout) as Report;
};

describe('architecture', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-architecture-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.base.json']) cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const violationsOf = (files: Readonly<Record<string, string>>): string[] => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tops = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))];
    const { summary } = cruise(folder, tops);
    expect(summary.totalCruised).to.be.greaterThan(0);
    return summary.violations.map(({ rule }) => rule.name);
  };

  it('reads the modules of this project and finds nothing forbidden', () => {
    const { summary } = cruise(root, ['core', 'adapters', 'hosts', 'contract-tests']);
    expect(summary.totalCruised).to.be.greaterThan(100);
    expect(summary.violations).to.deep.equal([]);
  });

  it('refuses a package in the core', () => {
    expect(violationsOf({ 'core/src/planted.ts': "import 'express';\n" })).to.include('core-knows-nobody');
  });

  it('refuses a module of Node in the core', () => {
    expect(violationsOf({ 'core/src/planted.ts': "import 'node:fs';\n" })).to.include('core-knows-nobody');
  });

  it('refuses a port in the domain', () => {
    const files = {
      'core/src/ports/clock.ts': 'export interface Clock { now(): number }\n',
      'core/src/document/planted.ts': "import type { Clock } from '../ports/clock.ts';\nexport type Planted = Clock;\n",
    };
    expect(violationsOf(files)).to.include('domain-knows-no-ports');
  });

  it('refuses one adapter in another', () => {
    const files = {
      'adapters/sqlite/src/store.ts': 'export const store = 1;\n',
      'adapters/memory/src/planted.ts':
        "import { store } from '../../sqlite/src/store.ts';\nexport const planted = store;\n",
    };
    expect(violationsOf(files)).to.include('adapters-know-core-and-one-technology');
  });

  it('refuses an adapter in the contract tests and in the API host', () => {
    const files = {
      'adapters/sqlite/src/store.ts': 'export const store = 1;\n',
      'contract-tests/src/planted.ts':
        "import { store } from '../../adapters/sqlite/src/store.ts';\nexport const planted = store;\n",
      'hosts/api/src/planted.ts':
        "import { store } from '../../../adapters/sqlite/src/store.ts';\nexport const planted = store;\n",
    };
    expect(violationsOf(files)).to.include.members([
      'contract-tests-know-core-only',
      'only-composition-knows-adapters',
    ]);
  });

  it('refuses the container outside the composition root', () => {
    expect(violationsOf({ 'hosts/api/src/planted.ts': "import 'inversify';\n" })).to.include(
      'only-composition-knows-inversify',
    );
  });
});
