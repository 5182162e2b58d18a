import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// Real scans and hostile files. They are too large for this repository and have different licences.
const named = process.env['PALIMPSEST_CORPUS'];

/** The folder of the corpus: `PALIMPSEST_CORPUS`, or `shared/corpus` beside the repository. */
export const corpus =
  named === undefined ? new URL('../../../shared/corpus/', import.meta.url) : pathToFileURL(`${named}/`);

/** The reason why tests of the corpus are skipped; `undefined` if there is a corpus. */
export const missingCorpus = existsSync(new URL('manifest.json', corpus))
  ? undefined
  : 'PALIMPSEST_CORPUS names no folder with a manifest.json';

/** A text with plain quotes, dashes and blanks, and without hyphenation, for a comparison of characters. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[—–‐‑]/g, '-')
    .replace(/-\s*\n\s*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
