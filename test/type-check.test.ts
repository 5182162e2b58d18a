import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '..');

const read = (path: string): { readonly references?: readonly { readonly path: string }[] } & Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as ReturnType<typeof read>;

const packages = globSync('{core,contract-tests,adapters/*,hosts/*}/package.json', { cwd: root })
  .map((path) => path.replace('/package.json', ''))
  .sort();

const referencesOf = (path: string): string[] => (read(path).references ?? []).map((reference) => reference.path);

describe('the type check', () => {
  it('includes every package, because the root tsconfig.json references it', () => {
    expect(packages).to.have.length.above(20);
    expect(referencesOf('tsconfig.json').sort()).to.deep.equal(packages);
  });

  for (const folder of packages) {
    it(`builds the workspace dependencies of ${folder} before it, because its tsconfig.json references them`, () => {
      const { dependencies = {} } = read(`${folder}/package.json`) as { dependencies?: Record<string, string> };
      const needed = Object.keys(dependencies).filter((name) => name.startsWith('@palimpsest/'));
      const referenced = referencesOf(`${folder}/tsconfig.json`).map(
        (path) => read(join(folder, path, 'package.json'))['name'],
      );
      expect(referenced).to.have.members(needed);
    });

    it(`finds every workspace package that ${folder} imports in its package.json`, () => {
      const { name, dependencies = {} } = read(`${folder}/package.json`) as {
        name: string;
        dependencies?: Record<string, string>;
      };
      const imported = globSync('src/**/*.ts', { cwd: join(root, folder) }).flatMap((path) =>
        [...readFileSync(join(root, folder, path), 'utf8').matchAll(/from '(@palimpsest\/[a-z0-9-]+)/g)].map(
          ([, specifier]) => specifier,
        ),
      );
      expect(Object.keys(dependencies)).to.include.members([...new Set(imported)].filter((each) => each !== name));
    });
  }
});
