import { createHash } from 'node:crypto';
import { padded, textPdf } from '../../hosts/api/test/samples.ts';
import type { Client } from '../trials/service-process.ts';
import type { Bench, MemoryRatio } from './bench.ts';
import { peakDuring, whyNoPeaks } from './peak-memory.ts';
import { runService, type RunningService } from './running-service.ts';

const MIB = 1024 * 1024;
const FILE_SIZE = 25 * MIB;
const CLIENTS = 20;
const SLOW_CLIENTS = 15; // of CLIENTS
const PAUSED_AFTER = MIB; // bytes after which a slow client pauses
const WARM_UP_DOWNLOADS = 10;
const ROUNDS = 3;
const MEDIAN_INDEX = 1; // of the rounds by ratio

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Generates a PDF of a given size with numbered filler, so that lost or reordered bytes are detected. */
const largePdf = (): Buffer => {
  const pdf = textPdf('A page of text that is followed by very many comments');
  const line = (number: number): string => `%${String(number).padStart(30, '0')}\n`;
  const lines = Array.from({ length: Math.floor((FILE_SIZE - pdf.length) / line(0).length) }, (_, i) => line(i));
  return padded(Buffer.concat([pdf, Buffer.from(lines.join(''))]), FILE_SIZE);
};

/** A document and the content of its file. */
interface Stored {
  readonly client: Client;
  readonly id: string;
  readonly digest: string;
}

/** Downloads and checks the file. Pauses early until `resumed` resolves. */
const download = async (
  { client, id, digest }: Stored,
  resumed: Promise<unknown> = Promise.resolve(),
): Promise<void> => {
  const response = await client.fetch(`/v1/documents/${id}/download`);
  if (response.status !== 200 || response.body === null) throw new Error(`download: ${response.status}`);
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of response.body) {
    hash.update(piece);
    size += piece.length;
    if (size >= PAUSED_AFTER) await resumed;
  }
  if (size !== FILE_SIZE || hash.digest('hex') !== digest)
    throw new Error(`A client received ${size} bytes that differ from the file`);
};

const downloadInSequence = async (stored: Stored, downloads: number): Promise<void> => {
  for (let i = 0; i < downloads; i++) await download(stored);
};

/** Downloads in parallel. The slow clients pause until all others have finished. */
const downloadInParallel = async (stored: Stored): Promise<void> => {
  const quick = Promise.all(Array.from({ length: CLIENTS - SLOW_CLIENTS }, () => download(stored)));
  const slow = Array.from({ length: SLOW_CLIENTS }, () => download(stored, quick));
  await Promise.all([quick, ...slow]);
};

/** Measures the peak memory of a freshly started service, so that rounds do not affect each other. */
const measureRound = async ({ service }: RunningService, stored: Stored): Promise<MemoryRatio> => {
  await service.kill('SIGTERM');
  await service.start();
  await downloadInSequence(stored, WARM_UP_DOWNLOADS);
  // Both measurements make the same number of downloads, so that both create the same amount of garbage. The one that
  // should need less memory is first, because a process seldom returns memory to the operating system.
  const referenceBytes = await peakDuring(service.pid, () => downloadInSequence(stored, CLIENTS));
  const subjectBytes = await peakDuring(service.pid, () => downloadInParallel(stored));
  return { ratio: subjectBytes / referenceBytes, subjectBytes, referenceBytes };
};

/** Many parallel downloads, even slow ones, need little more memory than one, because downloads are streamed. */
export const downloadMemory: Bench = {
  name: 'download-memory',
  measure: async () => {
    const what = `peak memory of the service with ${CLIENTS} downloads of ${FILE_SIZE / MIB} MiB at once, ${SLOW_CLIENTS} of them paused, against one at a time`;
    const skipped = await whyNoPeaks();
    if (skipped !== undefined) return [{ what, skipped }];
    const running = await runService();
    try {
      const file = largePdf();
      const id = await running.uploadAndRead(file, 'large.pdf');
      const stored = { client: running.client, id, digest: sha256(file) };
      const rounds: MemoryRatio[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(running, stored));
      const byRatio = rounds.toSorted((a, b) => a.ratio - b.ratio);
      return byRatio.slice(MEDIAN_INDEX, MEDIAN_INDEX + 1).map((round) => ({ what, limit: 1.5, ...round }));
    } finally {
      await running.close();
    }
  },
};
