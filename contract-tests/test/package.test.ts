import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

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
});
