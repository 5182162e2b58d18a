import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { variables } from '../src/variables.ts';

describe('docs/configuration.md', () => {
  const rows = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));

  for (const { name, meaning, allowed } of Object.values(variables(1))) {
    it(`describes ${name} with the meaning and the allowed values that --help prints`, () => {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row).to.include(meaning).and.include(allowed);
    });
  }

  it('describes no variable that does not exist', () => {
    expect(rows).to.have.length(Object.keys(variables(1)).length);
  });
});
