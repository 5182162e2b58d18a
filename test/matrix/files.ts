import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kit from '@palimpsest/contract-tests';

/** The names of the published functions that describe a contract suite. */
const suiteNames: readonly string[] = Object.keys(kit).filter((name) => /^describe(?!With)[A-Z]/.test(name));

/** The ports that have a contract suite. */
export const ports: ReadonlySet<string> = new Set(
  suiteNames.map((name) => name.replace(/^describe(?:Long|(?:Jpeg|Pdf|Png)(?=Rasterizer))?/, '')),
);

const ADAPTER_TESTS = ['adapters/*/test/**/*.test.ts', 'hosts/*/test/**/*.test.ts'];
const ALL_TESTS = [...ADAPTER_TESTS, 'test/**/*.test.ts'];

/** The function calls by which a test file uses a service, by the name of the service. */
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

/** The test files that call a contract suite. */
export const contractFiles = (root: string): readonly string[] =>
  matching(root, ADAPTER_TESTS, new RegExp(`\\b(?:${suiteNames.join('|')})\\(`));

/** The test files that use one of these services. Throws for an unknown service. */
export const filesInvolving = (root: string, services: readonly string[]): readonly string[] => {
  const patterns = services.map((service) => {
    const use = uses[service];
    if (use === undefined)
      throw new TypeError(`Unknown service "${service}". The services are ${Object.keys(uses).join(', ')}`);
    return use.source;
  });
  return matching(root, ALL_TESTS, new RegExp(patterns.join('|')));
};
