import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kit from '@palimpsest/contract-tests';

/** The suites that are published, by the function that describes them. */
const suiteNames: readonly string[] = Object.keys(kit).filter((name) => /^describe(?!With)[A-Z]/.test(name));

/** The ports that have a suite. */
export const ports: ReadonlySet<string> = new Set(suiteNames.map((name) => name.slice('describe'.length)));

const ADAPTER_TESTS = ['adapters/*/test/**/*.test.ts', 'hosts/*/test/**/*.test.ts'];
const ALL_TESTS = [...ADAPTER_TESTS, 'test/**/*.test.ts'];

/** How a test file shows that it needs servers, by the service's name. */
const uses: Readonly<Record<string, RegExp>> = {
  mongodb: /\b(?:describeOnMongo|findMongoServers)\(/,
  gcs: /\b(?:describeOnGcs|findGcsServers)\(/,
  mailpit: /\b(?:describeOnMailpit|findMailpitServers)\(/,
};

const matching = (root: string, patterns: readonly string[], content: RegExp): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: (path) => path.split(/[/\\]/).includes('node_modules') })
    .map((path) => join(root, path))
    .filter((path) => content.test(readFileSync(path, 'utf8')))
    .sort();

/** The test files that call a suite. */
export const contractFiles = (root: string): readonly string[] =>
  matching(root, ADAPTER_TESTS, new RegExp(`\\b(?:${suiteNames.join('|')})\\(`));

/** The test files that need one of these services. Throws for one that there is not. */
export const filesInvolving = (root: string, services: readonly string[]): readonly string[] => {
  const patterns = services.map((service) => {
    const use = uses[service];
    if (use === undefined)
      throw new TypeError(`There is no service "${service}"; there are ${Object.keys(uses).join(', ')}`);
    return use.source;
  });
  return matching(root, ALL_TESTS, new RegExp(patterns.join('|')));
};
