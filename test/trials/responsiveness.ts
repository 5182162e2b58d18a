import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankPng } from '../../hosts/api/test/samples.ts';
import { Client, freePort, ServiceProcess } from './service-process.ts';

const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);

/** Measures sequential requests for `seconds`. */
const measure = async (what: string, seconds: number, request: () => Promise<unknown>): Promise<void> => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    await request();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  console.log(
    `${what}: ${times.length} requests, median ${percentile(times, 0.5)} ms, 99 % within ${percentile(times, 0.99)} ms, slowest ${percentile(times, 1)} ms`,
  );
};

/** Compares the response times of an idle service with those while every core runs OCR. */
const [path] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'palimpsest-busy-'));
const service = new ServiceProcess(folder, await freePort());
try {
  await service.start();
  const client = new Client(service);
  await client.signIn();
  const list = async (): Promise<void> => void (await (await client.fetch('/v1/documents')).text());
  const upload = (): Promise<string> => client.upload(blankPng(50, 50), 'small.png');
  await measure('list, idle', 5, list);
  const page = path === undefined ? blankPng(3000, 4000) : await readFile(path);
  for (let i = 0; i < 30; i++) await client.upload(page, `${i}.png`);
  await measure('list, all cores busy', 10, list);
  await measure('upload, all cores busy', 5, upload);
} finally {
  await service.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
