import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import type { ErrorCode } from '@palimpsest/core';
import { markedImage, neverAborted } from '@palimpsest/contract-tests/internal';
import { openTesseractNative } from '@palimpsest/tesseract-native';
import type { TesseractNative } from '@palimpsest/tesseract-native';

// A shell script replaces Tesseract. It behaves like a program that reads a hostile image, and needs no other program.
const SHELL = '/bin/sh';
const HEADING = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const PAGE = '1\t1\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t';
const WORD = '5\t1\t1\t1\t1\t1\t36\t92\t60\t24\t96\tsecret';
const REQUEST = { language: 'eng', threshold: 'global', timeoutMs: 20_000 } as const;

(existsSync(SHELL) ? describe : describe.skip)(
  `TesseractNativeEngine with a failing program${existsSync(SHELL) ? '' : ' (skipped: there is no /bin/sh)'}`,
  () => {
    let folder: string;
    const opened: TesseractNative[] = [];
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'stub-'));
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
      await rm(folder, { recursive: true });
    });

    const openStub = async (
      reading: string,
      { version = 'tesseract 5.3.0', languages = 'eng\nosd' } = {},
    ): ReturnType<typeof openTesseractNative> => {
      const program = join(folder, 'tesseract');
      await writeFile(
        program,
        `#!/bin/sh\ncase "$1" in\n--version) echo '${version}';;\n--list-langs) printf 'List of languages:\\n${languages}\\n';;\n*) ${reading};;\nesac\n`,
      );
      await chmod(program, 0o700);
      return openTesseractNative({ children: 1, program });
    };
    const openEngine = async (reading: string, about?: { languages: string }): Promise<TesseractNative> => {
      const found = await openStub(reading, about);
      if ('missing' in found) throw new Error(found.missing);
      opened.push(found);
      return found;
    };
    const print = (...lines: readonly string[]): string => lines.map((line) => `printf '%s\\n' '${line}'`).join('; ');

    const failures: readonly (readonly [what: string, reading: string, code: ErrorCode])[] = [
      ['exits with 1 after it has written a page', `${print(HEADING, PAGE, WORD)}; exit 1`, 'ENGINE_CRASHED'],
      ['exits with 0 and writes nothing', 'exit 0', 'ENGINE_CRASHED'],
      ['exits with 0 and writes something else', print('secret'), 'ENGINE_CRASHED'],
      ['ends with a signal', 'kill -SEGV $$', 'ENGINE_CRASHED'],
      [
        'fails to allocate memory and continues',
        `${print(HEADING, PAGE, WORD)}; echo "Error in fpixCreate: calloc fail for data" >&2`,
        'PAGE_OUT_OF_MEMORY',
      ],
      [
        'fails to allocate memory and ends',
        'echo "terminate called after throwing an instance of std::bad_alloc" >&2; exit 134',
        'PAGE_OUT_OF_MEMORY',
      ],
      ['reports that the image is too large', 'echo "Image too large: (40000, 3)" >&2; exit 1', 'PAGE_TOO_LARGE'],
    ];
    for (const [what, reading, code] of failures) {
      it(`throws ${code} without the program's messages if the program ${what}`, async () => {
        const { engine } = await openEngine(reading);
        const error: unknown = await engine
          .recognize(markedImage(100, 100), REQUEST, neverAborted())
          .catch((error: unknown) => error);
        expect(isAppError(error, code), String(error)).to.equal(true);
        expect(String(error)).to.not.match(/secret|alloc|\//);
      });
    }

    it('throws PAGE_TIMED_OUT if the program does not end', async () => {
      const { engine } = await openEngine('while :; do :; done');
      const error: unknown = await engine
        .recognize(markedImage(100, 100), { ...REQUEST, timeoutMs: 300 }, neverAborted())
        .catch((error: unknown) => error);
      expect(isAppError(error, 'PAGE_TIMED_OUT'), String(error)).to.equal(true);
    });

    it('runs the program with one thread and passes a PGM image on standard input instead of a path', async () => {
      const { engine } = await openEngine(`read -r magic; echo "$OMP_THREAD_LIMIT $* $magic" >&2; exit 1`);
      const error: unknown = await engine
        .recognize(markedImage(100, 100), REQUEST, neverAborted())
        .catch((error: unknown) => error);
      const message = isAppError(error) && error.cause instanceof Error ? error.cause.message : '';
      expect(message).to.match(/1 - - -l eng --oem 1 --psm 3 .* P5\n$/s);
    });

    it('detects no orientation without osd.traineddata, and returns a note for the operator', async () => {
      const { engine, notes } = await openEngine('exit 1', { languages: 'eng' });
      expect(notes.join()).to.include('osd.traineddata');
      expect(await engine.detectOrientation(markedImage(100, 100), 1000, neverAborted())).to.equal(undefined);
    });

    it('openTesseractNative returns the reason if the program is not installed, does not run or is too old', async () => {
      for (const [found, reason] of [
        [await openStub('', { version: 'tesseract 4.1.1' }), /4\.1\.1/],
        [await openStub('', { version: 'something else' }), /does not run/],
        [await openTesseractNative({ children: 1, program: join(folder, 'nothing') }), /does not run/],
      ] as const) {
        expect(found).to.have.property('missing').that.matches(reason);
      }
      const path = process.env['PATH'];
      process.env['PATH'] = folder;
      try {
        await rm(join(folder, 'tesseract'));
        expect(await openTesseractNative({ children: 1 }))
          .to.have.property('missing')
          .that.matches(/not installed/);
      } finally {
        process.env['PATH'] = path;
      }
    });
  },
);
