import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

/** Older versions have known vulnerabilities. The test replaces `npm audit`, which needs a network. */
const minimumVersions: Readonly<Record<string, string>> = {
  'body-parser': '2.3.0',
  express: '5.2.1',
  jsonwebtoken: '9.0.3',
  jws: '4.0.1',
  multer: '2.4.0',
  nodemailer: '10.0.0',
  'path-to-regexp': '8.4.0',
  'pdfjs-dist': '6.2.108',
  qs: '6.14.2',
  sharp: '0.35.4',
};

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly resolved?: string; readonly link?: boolean }>
  >;
}

const lockfile = JSON.parse(
  readFileSync(join(resolve(import.meta.dirname, '..'), 'package-lock.json'), 'utf8'),
) as Lockfile;
const installed = Object.entries(lockfile.packages).map(([path, entry]) => ({
  ...entry,
  name: path.split('node_modules/').pop() ?? '',
}));

const atLeast = (version: string, minimum: string): boolean =>
  version.localeCompare(minimum, 'en', { numeric: true }) >= 0;

describe('dependencies', () => {
  for (const [name, minimum] of Object.entries(minimumVersions)) {
    const versions = installed.filter((entry) => entry.name === name && entry.version !== undefined);
    if (versions.length === 0) continue;
    it(`contain ${name} only in version ${minimum} or newer`, () => {
      for (const { version } of versions) expect(atLeast(version ?? '', minimum), `${name} ${version}`).to.equal(true);
    });
  }

  it('are locked by hash, without registry addresses', () => {
    const addresses = installed.filter(({ resolved, link }) => resolved !== undefined && !link);
    expect(addresses).to.deep.equal([]);
  });
});
