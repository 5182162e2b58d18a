import { readFile } from 'node:fs/promises';
import { findProgram } from '@palimpsest/child-process';
import { errorShare, neverAborted } from '@palimpsest/contract-tests/internal';
import { isAppError } from '@palimpsest/core';
import { openSharp } from '@palimpsest/sharp';
import type { SharpAdapters } from '@palimpsest/sharp';
import { openTesseractNative } from '@palimpsest/tesseract-native';
import type { TesseractNative } from '@palimpsest/tesseract-native';
import { expect } from 'chai';
import { corpus, missingCorpus, plainText } from '../../../test/corpus/corpus.ts';

const hasTesseract = (await findProgram('tesseract')) !== undefined;
const reason = missingCorpus ?? (hasTesseract ? undefined : 'the program tesseract is not installed');

const LIMITS = { maxPixels: 100_000_000, timeoutMs: 60_000 };

const plain = (text: string): string => plainText(text).toLowerCase();

describe('the tesseract program on the corpus', function () {
  this.timeout(120_000);
  if (reason !== undefined) {
    it.skip(`is skipped: ${reason}`);
    return;
  }
  let tesseract: TesseractNative;
  let sharp: SharpAdapters;
  before(async () => {
    const opened = await openTesseractNative({ children: 2 });
    if ('missing' in opened) throw new Error(opened.missing);
    [tesseract, sharp] = [opened, openSharp({ children: 1 })];
  });
  after(() => Promise.all([tesseract.close(), sharp.close()]));

  const read = async (name: string): Promise<string> => {
    const document = await sharp.rasterizer.open(
      Uint8Array.from(await readFile(new URL(name, corpus))),
      LIMITS,
      neverAborted(),
    );
    const image = await document.render(1, LIMITS, neverAborted());
    return (
      await tesseract.engine.recognize(
        image,
        { language: 'eng', threshold: 'global', timeoutMs: 60_000 },
        neverAborted(),
      )
    ).text;
  };

  for (const name of [
    'book-a037.png',
    'book-c029.png',
    'book-i026.png',
    'book-f035-interlaced16.png',
    'book-b017-exif6.jpg',
  ]) {
    it(`reads ${name} with less than 2 % wrong characters`, async () => {
      const truth = (await readFile(new URL(`truth/${name}.txt`, corpus))).toString();
      expect(errorShare(plain(truth), plain(await read(name)))).to.be.below(0.02);
    });
  }

  it('does not pass a text file with a list of paths to Tesseract, which would read those files', async () => {
    for (const name of [
      'path-list.png',
      'hostile/gen/tesseract-filelist.png',
      'hostile/gen/tesseract-filelist-url.png',
    ]) {
      const outcome = await read(name).catch((error: unknown) => error);
      expect(isAppError(outcome, 'DOCUMENT_DAMAGED'), name).to.equal(true);
    }
  });
});
