import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Builds the published packages and writes one tarball of each into the folder `--out DIR`. npm's `prepack` script cannot be
 * used, because `.npmrc` disables scripts.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folders of the published packages, relative to the root. */
export const publishedPackages = (): readonly string[] => [
  'core',
  'contract-tests',
  ...readdirSync(join(root, 'adapters')).map((name) => `adapters/${name}`),
];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Removes the earlier build, so that files of deleted sources are not packed. */
const removeStale = (folder: string): void => {
  const [dist, src] = [join(folder, 'dist'), join(folder, 'src')];
  const sources = new Set(filesIn(src).map((file) => file.slice(src.length).replace(/\.ts$/, '')));
  for (const file of filesIn(dist)) {
    const stem = file.slice(dist.length).replace(/(\.d\.ts|\.js)(\.map)?$/, '');
    if (!file.endsWith('.tsbuildinfo') && !sources.has(stem)) rmSync(file);
  }
};

/** Throws if a package depends on a version of another package that is not packed beside it. */
const checkVersions = (manifests: readonly Manifest[]): void => {
  const versions = new Map(manifests.map(({ name, version }) => [name, version]));
  for (const { name, dependencies = {} } of manifests) {
    for (const [dependency, version] of Object.entries(dependencies)) {
      if (!dependency.startsWith('@palimpsest/') || versions.get(dependency) === version) continue;
      throw new Error(
        `${name} depends on ${dependency} ${version}, but ${versions.get(dependency) ?? 'none'} is packed`,
      );
    }
  }
};

/** Copies a package for packing: adds the licence, removes the build info of the compiler. */
const stage = (folder: string): string => {
  const staged = mkdtempSync(join(tmpdir(), 'palimpsest-pack-'));
  const isWanted = (source: string): boolean => !source.endsWith('.tsbuildinfo') && basename(source) !== 'node_modules';
  cpSync(folder, staged, { recursive: true, filter: isWanted });
  copyFileSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
  return staged;
};

interface Packed {
  readonly filename: string;
  readonly entryCount: number;
  readonly size: number; // in bytes
}

const pack = (folder: string, out: string): Packed => {
  const options = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', out];
  const answer = execFileSync('npm', options, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  const [packed]: readonly Packed[] = JSON.parse(answer);
  if (packed === undefined) throw new Error(`npm packed nothing in ${folder}`);
  return packed;
};

const main = (): void => {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  if (values.out === undefined) throw new Error('Set the output folder: --out DIR');
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const folders = publishedPackages().map((folder) => join(root, folder));
  checkVersions(folders.map(manifestIn));
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc'), '-b', ...folders],
    { cwd: root, stdio: 'inherit' },
  );
  for (const folder of folders) {
    removeStale(folder);
    const staged = stage(folder);
    try {
      const { filename, entryCount, size } = pack(staged, out);
      console.log(`${filename}: ${entryCount} files, ${Math.ceil(size / 1024)} KiB`);
    } finally {
      rmSync(staged, { recursive: true });
    }
  }
};

if (import.meta.main) main();
