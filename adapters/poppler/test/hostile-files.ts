import { readdir, readFile } from 'node:fs/promises';
import { neverAborted } from '@palimpsest/contract-tests/internal';
import { isAppError } from '@palimpsest/core';
import type { ErrorCode } from '@palimpsest/core';
import { expect } from 'chai';
import { corpus, missingCorpus } from '../../../test/corpus/corpus.ts';
import type { OpenRasterizer } from './same-sizes.ts';

const hostile = new URL('hostile/', corpus);

const LIMITS = { maxPixels: 20_000_000, timeoutMs: 4000 };
const REFUSALS: readonly ErrorCode[] = [
  'DOCUMENT_DAMAGED',
  'DOCUMENT_ENCRYPTED',
  'DOCUMENT_WITHOUT_PAGES',
  'PAGE_TOO_LARGE',
  'PAGE_TIMED_OUT',
  'PAGE_OUT_OF_MEMORY',
  'ENGINE_CRASHED', // only the program crashed, not the service
];

/**
 * Tests that each hostile file in `folders` is rendered or refused with a clear error, and that a valid file works
 * afterwards.
 */
export const describeHostileFiles = (
  name: string,
  isInstalled: boolean,
  folders: readonly string[],
  open: OpenRasterizer,
): void => {
  describe(`${name} on hostile files`, function () {
    this.timeout(120_000);
    const reason = isInstalled ? missingCorpus : `the programs of ${name} are not installed`;
    if (reason !== undefined) {
      it.skip(`is skipped: ${reason}`);
      return;
    }
    let opened: Exclude<Awaited<ReturnType<OpenRasterizer>>, { missing: string }>;
    before(async () => {
      const found = await open();
      if ('missing' in found) throw new Error(found.missing);
      opened = found;
    });
    after(() => opened.close());

    const renderFirst = async (file: URL): Promise<{ readonly width: number; readonly height: number }> => {
      const document = await opened.rasterizer.open(Uint8Array.from(await readFile(file)), LIMITS, neverAborted());
      try {
        return await document.render(1, LIMITS, neverAborted());
      } finally {
        await document.close();
      }
    };

    for (const folder of folders) {
      it(`renders or refuses each file of ${folder}, and renders a valid file afterwards`, async () => {
        const url = new URL(`${folder}/`, hostile);
        for (const file of await readdir(url)) {
          try {
            const { width, height } = await renderFirst(new URL(file, url));
            expect(Math.min(width, height), file).to.be.above(1);
          } catch (error) {
            if (!isAppError(error)) throw error;
            expect(error.code, file).to.be.oneOf(REFUSALS);
            expect(error.message, file).to.match(/^(The|Page 1) [^/\n]{10,250}\.$/);
          }
        }
        expect((await renderFirst(new URL('gen/pdf-valid-control.pdf', hostile))).width).to.be.above(1000);
      });
    }
  });
};
