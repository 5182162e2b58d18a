import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePgm, findProgram } from '@palimpsest/child-process';
import { neverAborted, textSample } from '@palimpsest/contract-tests/internal';
import { openTesseractNative } from '@palimpsest/tesseract-native';
import type { Bench } from './bench.ts';
import { treeMicros, whyNoProcessTimes } from './process-tree.ts';
import { measureRatio } from './ratio.ts';

const LIMIT = 1.1;
const PAGES = ['harbour', 'orchard'] as const;

/** The overhead of resource limits and of word boxes compared with the plain program. */
export const nativeRecognition: Bench = {
  name: 'native-recognition',
  measure: async () => {
    const what = 'processor time to read two pages by the native engine against the tesseract program alone';
    const tesseract = await findProgram('tesseract');
    const skipped = tesseract === undefined ? 'the program tesseract is not installed' : whyNoProcessTimes();
    if (tesseract === undefined || skipped !== undefined) return [{ what, skipped: skipped ?? '' }];
    const opened = await openTesseractNative({ children: 1 });
    if ('missing' in opened) return [{ what, skipped: opened.missing }];
    const folder = await mkdtemp(join(tmpdir(), 'native-recognition-'));
    try {
      const images = await Promise.all(PAGES.map(async (name) => (await textSample(name)).image));
      const files = PAGES.map((name) => join(folder, `${name}.pgm`));
      for (const [i, image] of images.entries()) await writeFile(files[i] ?? '', Buffer.concat(encodePgm(image)));
      const request = { language: 'eng', threshold: 'global', timeoutMs: 60_000 } as const;
      const byEngine = async (): Promise<void> => {
        for (const image of images) await opened.engine.recognize(image, request, neverAborted());
      };
      const byProgram = async (): Promise<void> => {
        for (const file of files) {
          const run = spawn(tesseract, [file, 'stdout', '-l', 'eng'], {
            env: { ...process.env, OMP_THREAD_LIMIT: '1' },
            stdio: 'ignore',
          });
          const [code] = await once(run, 'exit');
          if (code !== 0) throw new Error(`tesseract exited with ${String(code)}`);
        }
      };
      // Rounds are long because the CPU time of other processes has a resolution of 10 ms.
      const options = { rounds: 9, roundMs: 1000, clock: () => treeMicros(process.pid) };
      return [{ what, limit: LIMIT, ...(await measureRatio(byEngine, byProgram, options)) }];
    } finally {
      await opened.close();
      await rm(folder, { recursive: true });
    }
  },
};
