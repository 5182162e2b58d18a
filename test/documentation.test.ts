import { globSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';

const root = resolve(import.meta.dirname, '..');
const pages = globSync('{*.md,docs/**/*.md,docker/*.md,{core,contract-tests,adapters/*,hosts/*}/*.md}', { cwd: root });

const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;
// A path in backquotes that begins with a folder of the repository, without placeholders.
const PATH = /`((?:core|contract-tests|adapters|hosts|docs|docker)\/[\w./-]+)`/g;

describe('the documentation', () => {
  it('has pages', () => {
    expect(pages.length).to.be.above(30);
  });

  for (const page of pages) {
    it(`${page} names only files and folders that exist`, () => {
      const text = readFileSync(join(root, page), 'utf8');
      const links = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(page), path));
      const paths = [...text.matchAll(PATH)].map(([, path = '']) => path);
      expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).to.deep.equal([]);
    });
  }
});
