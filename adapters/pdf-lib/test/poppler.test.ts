import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@palimpsest/child-process';
import { aPng, inRows, markedImage, neverAborted, wordsByScript } from '@palimpsest/contract-tests/internal';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { expect } from 'chai';

const SIZE = { width: 500, height: 700 };
const isInstalled = (await findProgram('pdftotext')) !== undefined;
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

(isInstalled ? describe : describe.skip)(
  `invisible text, read by poppler${isInstalled ? '' : ' (skipped: pdftotext is not installed)'}`,
  () => {
    let adapters: PdfLibAdapters;
    let folder: string;
    before(async () => {
      adapters = openPdfLib({ children: 1 });
      folder = await mkdtemp(join(tmpdir(), 'poppler-'));
    });
    after(() => Promise.all([adapters.close(), rm(folder, { recursive: true })]));

    for (const [script, texts] of Object.entries(wordsByScript)) {
      it(`has the words in reading order: ${script}`, async () => {
        const overlay = { number: 1, ...SIZE, rotation: 0, words: inRows(texts, SIZE) } as const;
        const source = { file: aPng(markedImage(SIZE.width, SIZE.height)), mediaType: 'image/png' } as const;
        const path = join(folder, 'words.pdf');
        await writeFile(
          path,
          await adapters.searchablePdfs.write(
            source,
            [overlay],
            { maxPixels: 1_000_000, timeoutMs: 20_000 },
            neverAborted(),
          ),
        );
        const read = execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).replace(DIRECTION_MARKS, '');
        expect(
          read
            .normalize('NFKC')
            .split(/\s+/)
            .filter((token) => token !== ''),
        ).to.deep.equal(texts.map((text) => text.normalize('NFKC')));
      });
    }
  },
);
