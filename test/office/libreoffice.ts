import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The reason why LibreOffice is not available, if there is one. */
export const withoutLibreOffice = (): string | undefined =>
  spawnSync('soffice', ['--version'], { timeout: 60_000 }).status === 0
    ? undefined
    : 'soffice (LibreOffice) is not installed';

/** Converts files with LibreOffice and returns the results in the same order. */
export const convertedByLibreOffice = async (
  files: readonly Uint8Array[],
  extension: string,
  to: string,
): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-office-'));
  try {
    const sources = files.map((_, i) => join(folder, `${i}.${extension}`));
    for (const [i, file] of files.entries()) await writeFile(sources[i] ?? '', file);
    const out = join(folder, 'out');
    await mkdir(out);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    await promisify(execFile)('soffice', ['--headless', profile, '--convert-to', to, '--outdir', out, ...sources], {
      timeout: 200_000,
    });
    const [type] = to.split(':');
    return await Promise.all(files.map((_, i) => readFile(join(out, `${i}.${type}`), 'utf8')));
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
};
