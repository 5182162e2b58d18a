import { mkdirSync, mkdtempSync, rmSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

/** A file with one forbidden import, and the rule that must reject it. */
const plantedImports = [
  { rule: 'core-imports-only-itself', file: 'core/src/package.ts', imports: 'express' },
  { rule: 'core-imports-only-itself', file: 'core/src/node.ts', imports: 'node:fs' },
  { rule: 'domain-knows-no-ports', file: 'core/src/document/port.ts', imports: '../ports/clock.ts' },
  { rule: 'domain-knows-no-ports', file: 'core/src/recognition/port.ts', imports: '../ports/clock.ts' },
  { rule: 'domain-knows-no-ports', file: 'core/src/a-new-folder/port.ts', imports: '../ports/clock.ts' },
  { rule: 'domain-knows-no-ports', file: 'core/src/document/use-case.ts', imports: '../use-cases/get-document.ts' },
  { rule: 'ports-know-no-use-cases', file: 'core/src/ports/planted.ts', imports: '../use-cases/get-document.ts' },
  {
    rule: 'adapters-know-core-and-one-technology',
    file: 'adapters/memory/src/planted.ts',
    imports: '../../sqlite/src/store.ts',
  },
  {
    rule: 'contract-tests-know-core-only',
    file: 'contract-tests/src/planted.ts',
    imports: '../../adapters/sqlite/src/store.ts',
  },
  {
    rule: 'only-composition-knows-adapters',
    file: 'hosts/api/src/adapter.ts',
    imports: '../../../adapters/sqlite/src/store.ts',
  },
  { rule: 'only-declared-dependencies', file: 'adapters/memory/src/undeclared.ts', imports: 'p-retry' },
  { rule: 'only-composition-knows-inversify', file: 'hosts/api/src/container.ts', imports: 'inversify' },
] as const;

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

const violationsIn = (folder: string): Report['summary'] => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      cruiser,
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'core',
      'adapters',
      'hosts',
      'contract-tests',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(stdout, stderr).not.to.equal('');
  return (JSON.parse(stdout) as Report).summary;
};

// `npm run architecture` checks the project itself. These tests prove that its rules reject forbidden imports.
describe('the architecture check', () => {
  let folder: string;
  let summary: Report['summary'];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-architecture-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.base.json']) cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('adapters/memory/package.json', '{"dependencies": {}}\n');
    write('core/src/ports/clock.ts', 'export const clock = 1;\n');
    write('core/src/use-cases/get-document.ts', 'export const getDocument = 1;\n');
    write('adapters/sqlite/src/store.ts', 'export const store = 1;\n');
    for (const { file, imports } of plantedImports) write(file, `import '${imports}';\n`);
    summary = violationsIn(folder);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reads every planted module', () => {
    expect(summary.totalCruised).to.be.at.least(plantedImports.length + 2);
  });

  for (const { rule, file, imports } of plantedImports) {
    it(`rejects ${imports} in ${file} by the rule ${rule}`, () => {
      const found = summary.violations.filter(({ from }) => from === file).map((violation) => violation.rule.name);
      expect(found).to.include(rule);
    });
  }
});
