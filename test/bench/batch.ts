import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@palimpsest/child-process';
import { textSample } from '@palimpsest/contract-tests/internal';
import sharp from 'sharp';
import type { Bench, Figure, Skipped } from './bench.ts';
import { until } from '../trials/service-process.ts';
import { measureRatio } from './ratio.ts';
import { runService, type RunningService, type ServiceRules } from './running-service.ts';

const PAGES = 20;
const CORES = availableParallelism();

// Elapsed time as a user sees it. Each round runs one batch of each kind.
const ROUNDS = { rounds: 3, roundMs: 1, clock: () => performance.now() * 1000 };

const READ_WITHIN_MS = 300_000;

const PROGRAM_LIMIT = 1.25;
const BUILT_IN_LIMIT = 2.2;
const SECOND_WORKER_LIMIT = 1 / 1.6;

/** Full A4 pages of text at 150 dpi as PNG files. */
const scans = async (): Promise<readonly Uint8Array[]> => {
  const { image } = await textSample('harbour');
  const { image: next } = await textSample('orchard');
  const data = Buffer.concat([image.data, next.data, image.data]);
  const raw = { width: image.width, height: data.length / image.width, channels: 1 } as const;
  return Array<Uint8Array>(PAGES).fill(await sharp(data, { raw }).png().toBuffer());
};

/** Uploads all files and waits until the last one is completed. */
const readAll = async ({ client }: RunningService, files: readonly Uint8Array[]): Promise<void> => {
  await Promise.all(files.map((file, i) => client.upload(file, `${i}.png`)));
  const finalStatuses = async (): Promise<readonly string[] | undefined> => {
    const { items } = (await (await client.fetch(`/v1/documents?limit=${files.length}`)).json()) as {
      items: readonly { status: string }[];
    };
    const statuses = items.map(({ status }) => status);
    return statuses.every((status) => status === 'completed' || status === 'failed') ? statuses : undefined;
  };
  if ((await until('recognition of all files', finalStatuses, READ_WITHIN_MS, 100)).includes('failed'))
    throw new Error('a page was not recognized');
};

const withService = async <T>(rules: ServiceRules, work: (running: RunningService) => Promise<T>): Promise<T> => {
  const running = await runService(rules);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
};

/** Runs the tesseract program alone, one process per core. */
const byProgram = (tesseract: string, paths: readonly string[]) => async (): Promise<void> => {
  const waiting = [...paths];
  const runNext = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const run = spawn(tesseract, [path, 'stdout', '-l', 'eng'], {
        env: { ...process.env, OMP_THREAD_LIMIT: '1' },
        stdio: 'ignore',
      });
      const [code] = await once(run, 'exit');
      if (code !== 0) throw new Error(`tesseract exited with ${String(code)}`);
    }
  };
  await Promise.all(Array.from({ length: CORES }, runNext));
};

const againstProgram = async (files: readonly Uint8Array[]): Promise<readonly (Figure | Skipped)[]> => {
  const against = `against the tesseract program alone on ${CORES} cores`;
  const engines = [
    {
      what: `time until ${PAGES} uploads are recognized by the installed program, ${against}`,
      engine: 'native',
      limit: PROGRAM_LIMIT,
    },
    {
      what: `time until ${PAGES} uploads are recognized by the built-in engine, ${against}`,
      engine: 'wasm',
      limit: BUILT_IN_LIMIT,
    },
  ] as const;
  const tesseract = await findProgram('tesseract');
  if (tesseract === undefined)
    return engines.map(({ what }) => ({ what, skipped: 'the program tesseract is not installed' }));
  const folder = await mkdtemp(join(tmpdir(), 'batch-'));
  try {
    const paths = files.map((_, i) => join(folder, `${i}.png`));
    for (const [i, file] of files.entries()) await writeFile(paths[i] ?? '', file);
    const figures: Figure[] = [];
    for (const { what, engine, limit } of engines) {
      const measure = (running: RunningService) =>
        measureRatio(() => readAll(running, files), byProgram(tesseract, paths), ROUNDS);
      figures.push({ what, limit, ...(await withService({ env: { OCR_ENGINE: engine } }, measure)) });
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
};

const secondWorker = async (files: readonly Uint8Array[]): Promise<Figure | Skipped> => {
  const what = `time until ${PAGES} uploads are recognized by two workers, each with one page at a time, against one such worker`;
  if (CORES < 2) return { what, skipped: 'there is one core' };
  const env = { WORKER_CONCURRENCY: '1' };
  const ratio = await withService({ env, workers: 2 }, (two) =>
    withService({ env, workers: 1 }, (one) =>
      measureRatio(
        () => readAll(two, files),
        () => readAll(one, files),
        ROUNDS,
      ),
    ),
  );
  return { what, limit: SECOND_WORKER_LIMIT, ...ratio };
};

/** The overhead of queue, storage and database, and the gain of a second worker. */
export const batch: Bench = {
  name: 'batch',
  measure: async () => {
    const files = await scans();
    return [...(await againstProgram(files)), await secondWorker(files)];
  },
};
