import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as entry from '../src/index.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

describe('the npm package of the contract tests', () => {
  it('declares every package that its sources import as a dependency', async () => {
    const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
      await readFile(join(FOLDER, 'package.json'), 'utf8'),
    );
    const imported = new Set<string>();
    for (const entry of await readdir(join(FOLDER, 'src'), { recursive: true })) {
      if (!entry.endsWith('.ts')) continue;
      const source = await readFile(join(FOLDER, 'src', entry), 'utf8');
      for (const [, from = ''] of source.matchAll(/^(?:import|export|\}) .*from '([^'.][^']*)';$/gm)) {
        if (!from.startsWith('node:')) imported.add(from);
      }
    }
    expect([...imported].toSorted()).to.deep.equal(Object.keys(dependencies).toSorted());
  });

  it('exports the suites that the guide lists, and no other', async () => {
    const guide = await readFile(join(FOLDER, '../docs/contract-tests.md'), 'utf8');
    const listed = new Set(guide.match(/\bdescribe[A-Z]\w+/g));
    const exported = Object.keys(entry).filter((name) => name.startsWith('describe'));
    expect([...listed].toSorted()).to.deep.equal(exported.toSorted());
  });
});
