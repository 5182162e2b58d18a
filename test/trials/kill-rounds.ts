import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, freePort, ServiceProcess, until } from './service-process.ts';
import { sha256, textPages } from './uploads.ts';

/** The result of a trial. All counts except `rounds`, `accepted` and `unanswered` must be 0. */
export interface KillReport {
  readonly rounds: number;
  readonly accepted: number;
  readonly unanswered: number; // uploads that the kill interrupted before the response
  readonly missing: number;
  readonly notCompleted: number;
  readonly changed: number; // files that differ from the upload
  readonly completedTwice: number;
  readonly brokenDatabase: number;
}

/**
 * Starts the service, uploads while it works, and kills it with SIGKILL at a random moment, in each of `rounds` rounds.
 * Then lets it finish and compares the stored documents with the answered uploads. Uploads `files` in turn and generated
 * PDFs.
 */
export const killRounds = async ({
  rounds,
  files = [],
  longestMs = 4000,
  uploadsPerRound = 3,
  onRound = () => {},
}: {
  rounds: number;
  files?: readonly string[];
  longestMs?: number;
  uploadsPerRound?: number;
  onRound?: (round: number) => void;
}): Promise<KillReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-kill-'));
  const service = new ServiceProcess(folder, await freePort(), { OCR_MAX_ATTEMPTS: '100' });
  const client = new Client(service);
  const acceptedDigests = new Map<string, string>();
  let unanswered = 0;
  const upload = async (number: number): Promise<void> => {
    const path = files[number % (files.length + 1)];
    const content = path === undefined ? textPages(1 + (number % 40), number) : await readFile(path);
    try {
      acceptedDigests.set(
        await client.upload(content, path === undefined ? `${number}.pdf` : basename(path)),
        sha256(content),
      );
    } catch {
      unanswered++;
    }
  };
  try {
    let number = 0;
    for (let round = 1; round <= rounds; round++) {
      await service.start();
      if (round === 1) await client.signIn();
      const uploads = Array.from({ length: uploadsPerRound }, () => upload(number++));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
      await service.kill('SIGKILL');
      await Promise.all(uploads);
      onRound(round);
    }
    await service.start();
    const allCompleted = async (): Promise<true | undefined> => {
      const database = new DatabaseSync(join(folder, 'palimpsest.db'), { readOnly: true });
      try {
        const row = database
          .prepare(`SELECT count(*) AS n FROM documents WHERE status IN ('queued', 'processing')`)
          .get();
        return Number(row?.['n']) === 0 ? true : undefined;
      } finally {
        database.close();
      }
    };
    await until('end of all work', allCompleted, 15 * 60_000, 500);
    let missing = 0;
    let notCompleted = 0;
    let changed = 0;
    for (const [id, digest] of acceptedDigests) {
      const detail = await client.fetch(`/v1/documents/${id}`);
      if (detail.status !== 200) missing++;
      else if (((await detail.json()) as { document: { status: string } }).document.status !== 'completed')
        notCompleted++;
      const file = await client.fetch(`/v1/documents/${id}/download`);
      if (sha256(new Uint8Array(await file.arrayBuffer())) !== digest) changed++;
    }
    const completions = new Map<unknown, number>();
    for await (const line of service.logLines()) {
      if (line['msg'] === 'document completed')
        completions.set(line['documentId'], (completions.get(line['documentId']) ?? 0) + 1);
    }
    await service.kill('SIGTERM');
    const database = new DatabaseSync(join(folder, 'palimpsest.db'));
    const isIntact = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] === 'ok';
    database.close();
    return {
      rounds,
      accepted: acceptedDigests.size,
      unanswered,
      missing,
      notCompleted,
      changed,
      completedTwice: [...completions.values()].filter((count) => count > 1).length,
      brokenDatabase: isIntact ? 0 : 1,
    };
  } finally {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [rounds = '50', ...files] = process.argv.slice(2);
  const report = await killRounds({ rounds: Number(rounds), files, onRound: (round) => console.log(`round ${round}`) });
  console.log(report);
  const { missing, notCompleted, changed, completedTwice, brokenDatabase } = report;
  process.exitCode = missing + notCompleted + changed + completedTwice + brokenDatabase > 0 ? 1 : 0;
}
